import type { ChatApiLike, CoreJson } from "../../../src/core/api/chat-api.js";

/** A core that gives the answers it was told, in their order, and takes note of the commands. */
export class FakeChatApi implements ChatApiLike {
  readonly commands: string[] = [];
  readonly #answers: (CoreJson | Error)[];
  #handlers: ((event: CoreJson) => void)[] = [];
  closed = false;

  constructor(...answers: (CoreJson | Error)[]) {
    this.#answers = answers;
  }

  async startChat(): Promise<void> {}

  async close(): Promise<void> {
    this.closed = true;
  }

  async sendChatCmd(command: string): Promise<CoreJson> {
    this.commands.push(command);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error(`No answer to ${command}`);
    if (answer instanceof Error) throw answer;
    return answer;
  }

  onAny(handler: (event: CoreJson) => void): void {
    this.#handlers.push(handler);
  }

  emit(event: CoreJson): void {
    for (const handler of this.#handlers) handler(event);
  }
}

/** What the library throws when the core refuses a command. */
export function chatError(chatError: CoreJson): Error {
  return Object.assign(new Error("Chat error"), { chatError });
}

export const commandError = (message: string) =>
  chatError({ type: "error", errorType: { type: "commandError", message } });

export const storeError = (type: string, fields: object = {}) =>
  chatError({ type: "errorStore", storeError: { type, ...fields } });
