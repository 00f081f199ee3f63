/** Why nothing came of a file, in one sentence for the agent or an owner. */
export class FileError extends Error {
  override name: string = "FileError";
}

/** The agent may not send this file. */
export class FileRefused extends FileError {
  override name = "FileRefused";

  /** `why`: a clause about the file at `path`. */
  constructor(
    readonly path: string,
    readonly why: string,
  ) {
    super(`file: ${path} ${why} and may not be sent.`);
  }
}

/** The file is on servers that are not in the agent's list, and nobody was asked about them. */
export class ServersNotApproved extends FileError {
  override name = "ServersNotApproved";

  /** `hosts`: the hosts of these servers. */
  constructor(readonly hosts: readonly string[]) {
    super(`The file is on servers that were not approved: ${hosts.join(", ")}.`);
  }
}

/** The system's code of an error (`ENOENT`, …), where it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** What a file system's error means, as a clause about the path: `the disk is full`. */
function reason(error: unknown): string {
  switch (errorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full";
    case "EACCES":
    case "EPERM":
      return "the server has no permission";
    case "EROFS":
      return "the disk is read-only";
    case "ENOENT":
    case "ENOTDIR":
      return "it is not there";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

/** Does `work` on files; what the system refuses becomes a `FileError` that begins with `what`. */
export async function fileWork<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`${what}: ${reason(error)}.`, { cause: error });
  }
}
