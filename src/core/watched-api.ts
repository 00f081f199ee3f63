import type { ChatApiLike, CoreJson } from "./api/chat-api.js";
import { CoreError } from "./errors/core-error.js";
import { isFatal } from "./errors/errors.js";

/** The library with a look at each error: one after which the core works no more is told, once. */
export class WatchedApi implements ChatApiLike {
  readonly #api: ChatApiLike;
  readonly #onFatal: (error: CoreError) => void;
  #told = false;

  constructor(api: ChatApiLike, onFatal: (error: CoreError) => void) {
    this.#api = api;
    this.#onFatal = onFatal;
  }

  startChat(): Promise<unknown> {
    return this.#api.startChat();
  }

  /** Errors after it are expected. */
  close(): Promise<void> {
    this.#told = true;
    return this.#api.close();
  }

  async sendChatCmd(command: string): Promise<CoreJson> {
    try {
      return await this.#api.sendChatCmd(command);
    } catch (thrown) {
      const error = CoreError.from("", thrown);
      if (isFatal(error) && !this.#told) {
        this.#told = true;
        this.#onFatal(error);
      }
      throw thrown;
    }
  }

  onAny(handler: (event: CoreJson) => void): void {
    this.#api.onAny(handler);
  }
}
