import { type Clock, sleep } from "../time/clock.js";
import type { ChatApiLike, CoreJson } from "./api/chat-api.js";
import { CoreError, commandName } from "./errors/core-error.js";
import { isDatabaseBusy } from "./errors/error-questions.js";
import { type Answer, type Response, type ResponseType, responses } from "./responses.js";

/** Pauses before a read is tried again, milliseconds. Another process holding the database is done within them. */
const BUSY_PAUSES = [100, 300, 1000];

/** What each command that others may notice passes, at the last moment before it is sent. */
export interface Gate {
  /** Throws where nothing may go out. The command is answered, or failed, when the returned function is called. */
  enter(): () => void;
}

/** Sends commands and reads their answers. */
export class Requests {
  readonly #api: ChatApiLike;
  readonly #clock: Clock;
  readonly #gate: Gate | undefined;
  /** Gets every answer that was read. */
  onAnswer: ((answer: Answer) => void) | undefined;

  /** What is read, and what nobody but us can notice, passes beside the gate. */
  constructor(api: ChatApiLike, clock: Clock, gate?: Gate) {
    this.#api = api;
    this.#clock = clock;
    this.#gate = gate;
  }

  /** A command that changes something: sent once, whatever happens. */
  async act<Type extends ResponseType>(command: string, ...types: Type[]): Promise<Response<Type>> {
    const leave = this.#gate?.enter();
    try {
      return await this.keep(command, ...types);
    } finally {
      leave?.();
    }
  }

  /** A command that changes something that nobody but us can notice: sent once. */
  async keep<Type extends ResponseType>(command: string, ...types: Type[]): Promise<Response<Type>> {
    const answer = readResponse(command, await this.#send(command), types);
    this.onAnswer?.(answer);
    return answer;
  }

  /** A command that changes nothing: tried again while the database is busy. */
  read<Type extends ResponseType>(command: string, ...types: Type[]): Promise<Response<Type>> {
    return this.#again(() => this.keep(command, ...types));
  }

  /** A command that done twice does what it does once: tried again while the database is busy. */
  repeat<Type extends ResponseType>(command: string, ...types: Type[]): Promise<Response<Type>> {
    return this.#again(() => this.act(command, ...types));
  }

  /** The same for a command of `keep`. */
  keepAgain<Type extends ResponseType>(command: string, ...types: Type[]): Promise<Response<Type>> {
    return this.#again(() => this.keep(command, ...types));
  }

  async #again<Result>(send: () => Promise<Result>): Promise<Result> {
    for (const pause of BUSY_PAUSES) {
      try {
        return await send();
      } catch (error) {
        if (!isDatabaseBusy(error)) throw error;
        await sleep(this.#clock, pause);
      }
    }
    return await send();
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
