import { type Clock, sleep } from "../time/clock.js";
import type { ChatApiLike, CoreJson } from "./api/chat-api.js";
import { CoreError, commandName } from "./errors/core-error.js";
import { isDatabaseBusy } from "./errors/error-questions.js";
import { type Response, type ResponseType, responses } from "./responses.js";

/** Pauses before a read is tried again, milliseconds. Another process holding the database is done within them. */
const BUSY_PAUSES = [100, 300, 1000];

/** Sends commands and reads their answers. */
export class Requests {
  readonly #api: ChatApiLike;
  readonly #clock: Clock;

  constructor(api: ChatApiLike, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** A command that changes something: sent once, whatever happens. */
  async act<Type extends ResponseType>(command: string, ...types: Type[]): Promise<Response<Type>> {
    return readResponse(command, await this.#send(command), types);
  }

  /** A command that changes nothing: tried again while the database is busy. */
  read<Type extends ResponseType>(command: string, ...types: Type[]): Promise<Response<Type>> {
    return this.repeat(command, ...types);
  }

  /** A command that done twice does what it does once: tried again while the database is busy. */
  async repeat<Type extends ResponseType>(command: string, ...types: Type[]): Promise<Response<Type>> {
    for (const pause of BUSY_PAUSES) {
      try {
        return await this.act(command, ...types);
      } catch (error) {
        if (!isDatabaseBusy(error)) throw error;
        await sleep(this.#clock, pause);
      }
    }
    return await this.act(command, ...types);
  }

  async #send(command: string): Promise<CoreJson> {
    try {
      return await this.#api.sendChatCmd(command);
    } catch (error) {
      throw CoreError.from(commandName(command), error);
    }
  }
}

/** The answer as one of `types`. Throws `CoreError` when it is another or of the wrong shape. */
export function readResponse<Type extends ResponseType>(
  command: string,
  answer: CoreJson,
  types: readonly Type[],
): Response<Type> {
  const type = types.find((expected) => expected === answer.type);
  if (type === undefined) throw CoreError.unexpected(commandName(command), answer.type);
  const response = responses[type].safeParse(answer);
  if (!response.success) throw CoreError.unreadable(commandName(command), response.error);
  // The compiler does not see that the schema found by `type` is the one of `Type`.
  return response.data as Response<Type>;
}
