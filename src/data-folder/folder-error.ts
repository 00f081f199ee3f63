import { oneLine } from "../text/one-line.js";

/** The data folder cannot be used. `message` is one line that says why and what to do. */
export class FolderError extends Error {
  override readonly name = "FolderError";

  constructor(message: string, options?: ErrorOptions) {
    super(oneLine(message), options);
  }
}

/** Runs file work on `path`; what the system refuses becomes a `FolderError` with the original error as `cause`. */
export async function fileWork<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FolderError) throw error;
    throw new FolderError(explain(error, path), { cause: error });
  }
}

/** One line for a person about an error of the file system on `path`. */
export function explain(error: unknown, path: string): string {
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
      return `No permission to use ${path}. Change its permissions, or choose another folder with --data.`;
    case "EROFS":
      return `${path} is on a read-only disk. Choose another folder with --data.`;
    case "ENOSPC":
    case "EDQUOT":
      return `The disk is full: cannot write ${path}. Free some space and start again.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${path} is not a folder. Choose another folder with --data.`;
    case "ENOENT":
      return `${path} cannot be made or is gone. Choose another folder with --data.`;
    case "EISDIR":
      return `${path} is a folder where a file should be. Move it away and start again.`;
    case "EMFILE":
    case "ENFILE":
      return `Too many open files: cannot use ${path}. Raise the limit (ulimit -n) and start again.`;
    default:
      return `Cannot use ${path}: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** The system's code of an error (`ENOENT`, …), where it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
