import { isAbsolute, join, resolve } from "node:path";
import { FolderError } from "./folder-error.js";
import { homeFolder } from "./home.js";

/** Where everything of one agent is. All absolute. */
export interface DataPaths {
  readonly root: string;
  /** What the SimpleX core is given; it appends `_chat.db` and `_agent.db`. */
  readonly databasePrefix: string;
  readonly chatDatabase: string;
  readonly agentDatabase: string;
  readonly lock: string;
  readonly token: string;
  readonly headers: string;
  readonly serverJson: string;
  /** The core's temporary folder. */
  readonly tmp: string;
  /** What the agent downloaded, a folder a chat, and `sent`. */
  readonly files: string;
  /** Copies of files being sent; emptied at the start. */
  readonly sent: string;
  /** What an owner looked at with `/forward`; the agent may not send from here. */
  readonly forwarded: string;
}

/** 1 to 64 of `A-Z a-z 0-9 . _ -`, not starting with `.` or `-`: safe as a folder name and on a command line. */
export function isAgentName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/.test(name);
}

/** The folder that `--data` names, absolute; undefined for no name, as of a variable that is not set. */
export function folderOption(text: string, home = homeFolder()): string | undefined {
  // A shell leaves `~` as it is in quotes, and after `--data=`.
  return text.trim() === "" ? undefined : resolve(text.replace(/^~(?=$|[/\\])/, () => atHome(home)));
}

/** The data folder of an agent: `--data` where given, else `~/.simplex-mcp/<agent>`. Absolute. */
export function agentFolder(agent: string, dataOption?: string, home = homeFolder()): string {
  if (!isAgentName(agent)) {
    throw new FolderError(
      "The agent's name is 1 to 64 of A-Z a-z 0-9 . _ - and does not start with a dot or a hyphen.",
    );
  }
  return dataOption === undefined ? join(atHome(home), ".simplex-mcp", agent) : resolve(dataOption);
}

function atHome(home: string | undefined): string {
  if (home !== undefined && isAbsolute(home)) return home;
  throw new FolderError(
    "There is no home folder: HOME is no absolute path, and the account has none. Set HOME, or give a folder with --data.",
  );
}

export function dataPaths(root: string): DataPaths {
  const databasePrefix = join(root, "simplex");
  const files = join(root, "files");
  return {
    root,
    databasePrefix,
    chatDatabase: `${databasePrefix}_chat.db`,
    agentDatabase: `${databasePrefix}_agent.db`,
    lock: join(root, "lock"),
    token: join(root, "token"),
    headers: join(root, "headers.json"),
    serverJson: join(root, "server.json"),
    tmp: join(root, "tmp"),
    files,
    sent: join(files, "sent"),
    forwarded: join(root, "forwarded"),
  };
}
