import type { ChatApiLike } from "./chat-api.js";

/** The SimpleX library or its database cannot be used; the message is one line that says what to do. */
export class LibraryError extends Error {
  override readonly name = "LibraryError";
}

/** What the npm package `simplex-chat` exports, as far as it is used. */
interface Library {
  api: { ChatApi: { init(database: { type: "sqlite"; filePrefix: string }): Promise<ChatApiLike> } };
}

const INSTALL = "npm install simplex-chat@7";

/** Opens the databases `PREFIX_chat.db` and `PREFIX_agent.db`, new ones when there are none. */
export async function openLibrary(filePrefix: string): Promise<ChatApiLike> {
  const library = await loadLibrary();
  return await library.api.ChatApi.init({ type: "sqlite", filePrefix });
}

async function loadLibrary(): Promise<Library> {
  // A variable keeps the compiler from looking for a package that is optional.
  const name = "simplex-chat";
  const loaded: unknown = await import(name);
  if (!isLibrary(loaded)) throw new LibraryError(`The installed simplex-chat is too old. Run: ${INSTALL}`);
  return loaded;
}

function isLibrary(loaded: unknown): loaded is Library {
  return typeof loaded === "object" && loaded !== null && "api" in loaded;
}
