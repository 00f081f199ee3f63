import type { ChatApiLike, CoreJson } from "../../src/core/api/chat-api.js";

/** Lines of a user's record that a failure shows. */
const SHOWN = 60;

/** A command that waits to be sent. */
export interface Held {
  readonly command: string;
  /** Sends it. */
  release(): void;
}

interface Trap {
  readonly match: RegExp;
  /** What happens instead of the command, or before it. */
  readonly spring: (command: string) => Promise<void>;
}

/** A user's api that keeps what goes through it, and can hold or fail single commands. */
export class RecordedApi implements ChatApiLike {
  /** Every command, in the order of the calls. */
  readonly commands: string[] = [];
  readonly #record: string[] = [];
  readonly #api: ChatApiLike;
  #traps: Trap[] = [];
  #closed: Promise<void> | undefined;
  #busy = 0;

  constructor(api: ChatApiLike) {
    this.#api = api;
    api.onAny((event) => this.#note(`* ${event.type} ${brief(event)}`));
  }

  /** Commands that are not answered yet. */
  get busy(): boolean {
    return this.#busy > 0;
  }

  /** Grows with each command, answer and event. */
  noted = 0;

  async startChat(): Promise<unknown> {
    this.commands.push("startChat");
    this.#note("> startChat");
    return await this.#api.startChat();
  }

  /** Closes once: the library's own does not take a second call. */
  close(): Promise<void> {
    this.#closed ??= this.#api.close();
    return this.#closed;
  }

  onAny(handler: (event: CoreJson) => void): void {
    this.#api.onAny(handler);
  }

  async sendChatCmd(command: string): Promise<CoreJson> {
    this.commands.push(command);
    this.#note(`> ${command}`);
    this.#busy += 1;
    try {
      await this.#sprung(command);
      const answer = await this.#api.sendChatCmd(command);
      this.#note(`< ${answer.type}`);
      return answer;
    } catch (error) {
      this.#note(`! ${brief(error)}`);
      throw error;
    } finally {
      this.#busy -= 1;
    }
  }

  /** Holds the next command that matches; resolves when it was about to be sent. */
  holdNext(match: RegExp): Promise<Held> {
    return new Promise((reached) => {
      this.#traps.push({
        match,
        spring: (command) => new Promise((release) => reached({ command, release: () => release() })),
      });
    });
  }

  /** Fails the next command that matches with the core's `chatError`, instead of sending it. */
  failNext(match: RegExp, chatError: CoreJson): void {
    this.#traps.push({
      match,
      spring: () => Promise.reject(Object.assign(new Error("Chat command error"), { chatError })),
    });
  }

  /** Holds and fails no command any more. */
  failNothing(): void {
    this.#traps = [];
  }

  /** The last commands, answers and events, for a test that fails. */
  get lastRecord(): string {
    return this.#record.slice(-SHOWN).join("\n");
  }

  async #sprung(command: string): Promise<void> {
    const trap = this.#traps.find(({ match }) => match.test(command));
    if (!trap) return;
    this.#traps = this.#traps.filter((other) => other !== trap);
    // What is held does not keep the world from settling.
    this.#busy -= 1;
    try {
      await trap.spring(command);
    } finally {
      this.#busy += 1;
    }
  }

  #note(line: string): void {
    this.noted += 1;
    this.#record.push(line.length > 400 ? `${line.slice(0, 400)}…` : line);
  }
}

/** What tells an event or error from others of its type: the texts in it, or all of it in short. */
function brief(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  const texts = [...json.matchAll(/"(?:itemText|displayName)":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => text);
  return texts.length > 0 ? texts.slice(-4).join(" ") : json.slice(0, 200);
}
