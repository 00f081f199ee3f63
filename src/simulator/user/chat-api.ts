import type { ChatApiLike, CoreJson } from "../../core/api/chat-api.js";
import { ChatAPIError } from "../data/errors.js";
import { Fifo } from "../data/fifo.js";
import type { Scheduler } from "../network/scheduler.js";

/** Commands and events kept in `log` and `commands`, for failure output and tests. */
const LOG_LENGTH = 2000;

export type LogEntry = { readonly cmd: string } | { readonly event: CoreJson };

/** What stands behind an opened database: runs one command and attaches to what the database emits. */
export interface Backend {
  /** Runs a command; `emit` takes the events that it causes. Throws `ChatAPIError`. */
  execute(api: SimulatedChatApi, command: string): CoreJson;
  closed(api: SimulatedChatApi): void;
  /** Whether the answer to a command is seen before the events that the command caused. */
  answerFirst(): boolean;
  now(): number;
  readonly scheduler: Scheduler;
}

type Handler = (event: CoreJson) => unknown;

/**
 * The surface of the library's `ChatApi` on a simulated database: `sendChatCmd` for commands, `onAny` for events,
 * which are handed over one at a time, each handler awaited, its errors swallowed as in the library.
 */
export class SimulatedChatApi implements ChatApiLike {
  /** The last commands, with the network's time in ms. */
  readonly commands: Array<{ readonly cmd: string; readonly at: number }> = [];
  /** The last commands and events, as they were sent and handed over. */
  readonly log: LogEntry[] = [];

  private readonly handlers: Handler[] = [];
  private readonly events = new Fifo<CoreJson>();
  private looping = false;
  private delivering = false;
  private closed = false;
  /** Events of the command that is being executed, held until its answer is placed before or after them. */
  private held: CoreJson[] | undefined;
  private working = 0;

  constructor(
    private readonly backend: Backend,
    /** The name of the database. */
    readonly database: string,
  ) {}

  onAny(handler: Handler): void {
    this.handlers.push(handler);
  }

  async startChat(): Promise<CoreJson> {
    this.looping = true;
    this.deliver();
    const answer = await this.sendChatCmd("/_start main=on");
    if (answer.type !== "chatStarted" && answer.type !== "chatRunning") {
      throw Object.assign(new Error("Chat command error"), { name: "ChatCommandError", response: answer });
    }
    return answer;
  }

  /** Stops the chat and the event loop: events not handed over yet wait, and are lost with `close`. */
  async stopChat(): Promise<void> {
    await this.sendChatCmd("/_stop");
    this.looping = false;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.looping = false;
    this.closed = true;
    this.events.clear();
    this.backend.closed(this);
  }

  async sendChatCmd(command: string): Promise<CoreJson> {
    this.assertOpen();
    record(this.commands, { cmd: command, at: this.backend.now() });
    record(this.log, { cmd: command });
    this.working++;
    try {
      return await this.answerTo(command);
    } finally {
      this.working--;
    }
  }

  /** Takes an event into the queue, as the core does; the loop hands it over. */
  emit(event: CoreJson): void {
    if (this.closed) return;
    if (this.held) this.held.push(event);
    else this.enqueue(event);
  }

  /** Whether nothing waits to be handed over and no command is being answered. */
  get quiet(): boolean {
    return this.working === 0 && (!this.looping || this.events.size === 0);
  }

  /** One turn of the scheduler runs the command, and one more lies between its answer and its events. */
  private answerTo(command: string): Promise<CoreJson> {
    const { scheduler } = this.backend;
    return new Promise((resolve, reject) => {
      scheduler.post(() => {
        const held: CoreJson[] = [];
        this.held = held;
        const settle = this.run(command, resolve, reject);
        this.held = undefined;
        const hand = () => {
          for (const event of held) this.enqueue(event);
        };
        if (held.length === 0 || this.backend.answerFirst()) {
          settle();
          scheduler.post(hand);
        } else {
          hand();
          scheduler.post(settle);
        }
      });
    });
  }

  private run(
    command: string,
    resolve: (answer: CoreJson) => void,
    reject: (error: unknown) => void,
  ): () => void {
    try {
      this.assertOpen();
      const answer = copyOf(this.backend.execute(this, cString(command)));
      return () => resolve(answer);
    } catch (error) {
      return () => reject(error);
    }
  }

  private assertOpen(): void {
    if (this.closed) throw new Error("chat api controller not initialized");
  }

  private enqueue(event: CoreJson): void {
    if (this.closed) return;
    this.events.push(copyOf(event));
    if (this.looping) this.deliver();
  }

  private deliver(): void {
    if (!this.delivering) void this.loop();
  }

  private async loop(): Promise<void> {
    this.delivering = true;
    while (this.looping) {
      const event = this.events.shift();
      if (!event) break;
      record(this.log, { event });
      for (const handler of this.handlers) await settled(handler, event);
    }
    this.delivering = false;
  }
}

/** The text travels as a C string, and the core drops white space at its end. */
function cString(command: string): string {
  const end = command.indexOf("\0");
  return (end < 0 ? command : command.slice(0, end)).trimEnd();
}

/** Answers and events are the caller's own, as if parsed from text: they share nothing with the database. */
function copyOf<T>(json: T): T {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const key in json) {
    const value = copyOf<unknown>(json[key]);
    // Messages are other people's: their JSON may hold this key as a key like any other.
    if (key === "__proto__") Object.defineProperty(copy, key, { value, enumerable: true });
    else if (value !== undefined) copy[key] = value;
  }
  return copy as T;
}

/** The library prints a handler's error and goes on. */
async function settled(handler: Handler, event: CoreJson): Promise<void> {
  try {
    await handler(event);
  } catch (error) {
    console.log("Event handler error", error instanceof ChatAPIError ? error.chatError : error);
  }
}

function record<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > 2 * LOG_LENGTH) list.splice(0, LOG_LENGTH);
}
