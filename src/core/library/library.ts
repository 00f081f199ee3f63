import type { ChatApiLike } from "../api/chat-api.js";
import { fieldOf } from "../api/json.js";
import { CoreError } from "../errors/core-error.js";
import { loadError, openError, tooOld } from "./library-error.js";

export { routeConsoleToStderr } from "./console.js";
export { LibraryError } from "./library-error.js";

/** What the npm package `simplex-chat` exports, as far as it is used. */
interface Library {
  api: { ChatApi: { init(database: { type: "sqlite"; filePrefix: string }): Promise<ChatApiLike> } };
}

export interface LibraryOptions {
  /** The command line, without the program: a failure tells how to run it with a library that works. */
  args: string;
  /** Errors of the core's own work that belong to no command; without it they are only printed. */
  onAsyncError?: (error: CoreError) => void;
  /** Loads the package. */
  load?: () => Promise<unknown>;
}

// Not written into the `import`, so that the compiler does not ask for a package that is optional.
const PACKAGE = "simplex-chat";

/**
 * Opens the databases `PREFIX_chat.db` and `PREFIX_agent.db`, new ones when there are none. Rejects with
 * `LibraryError`. The library prints with `console.log`: route it before.
 */
export async function openLibrary(filePrefix: string, options: LibraryOptions): Promise<ChatApiLike> {
  const library = await loadLibrary(options);
  try {
    const api = await library.api.ChatApi.init({ type: "sqlite", filePrefix });
    if (options.onAsyncError) tellAsyncErrors(api, options.onAsyncError);
    return api;
  } catch (error) {
    throw openError(error, options.args);
  }
}

async function loadLibrary({ load = () => import(PACKAGE), args }: LibraryOptions): Promise<Library> {
  let loaded: unknown;
  try {
    loaded = await load();
  } catch (error) {
    throw loadError(error, args);
  }
  const library = [loaded, fieldOf(loaded, "default")].find(isLibrary);
  if (library) return library;
  throw tooOld(args);
}

function isLibrary(loaded: unknown): loaded is Library {
  const init = fieldOf(fieldOf(fieldOf(loaded, "api"), "ChatApi"), "init");
  return typeof init === "function";
}

/**
 * The library throws such an error out of `recvChatEvent`, prints it and goes on, so no handler ever sees it. Here it
 * is told and counts as no event. Anything else is left to the library.
 */
function tellAsyncErrors(api: ChatApiLike, tell: (error: CoreError) => void): void {
  const receive = fieldOf(api, "recvChatEvent");
  if (typeof receive !== "function") return;
  const receiveOrTell = async (...args: unknown[]): Promise<unknown> => {
    try {
      return await receive.apply(api, args);
    } catch (error) {
      if (fieldOf(error, "chatError") === undefined) throw error;
      tell(CoreError.from("event", error));
      return undefined;
    }
  };
  Reflect.set(api, "recvChatEvent", receiveOrTell);
}
