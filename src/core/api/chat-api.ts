/**
 * The few members of the SimpleX library's `ChatApi` that are used, so that the library and the simulator are
 * the same to `Core`.
 */
export interface ChatApiLike {
  /** Starts the event loop and the chat. */
  startChat(): Promise<unknown>;
  /** Closes the databases; no call works after it. Takes up to 5 s in the real library. */
  close(): Promise<void>;
  /** Resolves with the core's answer; throws an error with the core's JSON in `chatError` when it is an error. */
  sendChatCmd(command: string): Promise<CoreJson>;
  /** `handler` gets every event. The library awaits it before the next event, so it must return at once. */
  onAny(handler: (event: CoreJson) => void): void;
}

/** A response or event as it comes from the core: a tagged object, read through `types.ts`. */
export interface CoreJson {
  readonly type: string;
  readonly [field: string]: unknown;
}
