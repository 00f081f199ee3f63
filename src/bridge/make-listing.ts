import type { McpServer, Transport } from "@modelcontextprotocol/server";
import { createListingServer } from "../tools/agent-tools.js";
import { isFields } from "./json-rpc.js";
import type { Listing, Listings } from "./listing.js";

/** The listing of an agent, as the SDK words it. */
async function listingOf(server: McpServer): Promise<Listing> {
  const answers = new Map<unknown, unknown>();
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message) => {
      if ("result" in message) answers.set(message.id, message.result);
    },
  };
  await server.connect(transport);
  const clientInfo = { name: "build", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  transport.onmessage?.({ jsonrpc: "2.0", id: "instructions", method: "initialize", params });
  transport.onmessage?.({ jsonrpc: "2.0", id: "tools", method: "tools/list" });
  // Both are answered within some turns of the event loop.
  while (answers.size < 2) await new Promise((resolve) => setImmediate(resolve));
  const [instructions, tools] = [answers.get("instructions"), answers.get("tools")];
  if (!isFields(instructions) || typeof instructions.instructions !== "string")
    throw new Error("no instructions");
  if (!isFields(tools) || !Array.isArray(tools.tools)) throw new Error("no tools");
  return { instructions: instructions.instructions, tools: tools.tools };
}

/** What agents of both modes say. */
export async function listings(): Promise<Listings> {
  const [requests, host] = await Promise.all([
    listingOf(createListingServer("", "requests", "")),
    listingOf(createListingServer("", "host", "")),
  ]);
  return { requests, host };
}
