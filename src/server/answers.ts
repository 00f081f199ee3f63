import type { McpServer, RequestId, Transport } from "@modelcontextprotocol/server";

/** What to tell about the answers of one server instance. */
export interface AnswerWatcher {
  connected(transport: Transport): void;
  answered(id: RequestId): void;
}

/**
 * Tells of each answer that `server` gives to its transport. The end of a response does not tell it: the SDK ends
 * a response without an answer when its server is closed. Returns `server`.
 */
export function watchAnswers(server: McpServer, watcher: AnswerWatcher): McpServer {
  const protocol = server.server;
  const connect = protocol.connect.bind(protocol);
  protocol.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!("method" in message) && message.id !== undefined) watcher.answered(message.id);
      return send(message, options);
    };
    watcher.connected(transport);
    await connect(transport);
  };
  return server;
}
