import type { CoreJson } from "../../core/api/chat-api.js";

/** Thrown by `sendChatCmd` as the library throws it: the core's JSON is in `chatError`. */
export class ChatAPIError extends Error {
  override readonly name = "ChatAPIError";

  constructor(readonly chatError: CoreJson) {
    super(`Chat error: ${JSON.stringify(chatError)}`);
  }
}

type Fields = Record<string, unknown>;

/** `{"type":"error"}`: what the chat layer refuses. */
export const chatError = (type: string, fields: Fields = {}): ChatAPIError =>
  new ChatAPIError({ type: "error", errorType: { type, ...fields } });

/** `{"type":"errorStore"}`: what the database lacks or refuses. */
export const storeError = (type: string, fields: Fields = {}): ChatAPIError =>
  new ChatAPIError({ type: "errorStore", storeError: { type, ...fields } });

/** `{"type":"errorAgent"}`: servers and connections. */
export const agentError = (agentError: Fields): ChatAPIError =>
  new ChatAPIError({ type: "errorAgent", agentError, agentConnId: "" });

export const commandError = (message: string): ChatAPIError => chatError("commandError", { message });

/** The core's answer to whatever it cannot parse: no hint of what was wrong. */
export const unparsable = (): ChatAPIError => commandError("Failed reading: empty");
