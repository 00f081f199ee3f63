/** Which places on this computer the agent may not send files from. Pure: `real` is a path without links. */
import { isAbsolute, join, relative, sep } from "node:path";

/** Folders and files that hold credentials, wherever a home folder is. Compared without case. */
const CREDENTIALS: readonly string[] = [
  // Keys and their agents
  ".ssh",
  ".gnupg",
  ".pki",
  ".password-store",
  ".local/share/keyrings",
  ".local/share/kwalletd",
  ".config/keepassxc",
  ".config/op",
  ".config/Bitwarden",
  ".vault-token",
  "Library/Keychains",
  "AppData/Roaming/Microsoft/Credentials",
  "AppData/Local/Microsoft/Credentials",
  "AppData/Roaming/Microsoft/Protect",
  "AppData/Roaming/gnupg",
  // Clouds, clusters, registries
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".oci",
  ".config/gcloud",
  ".config/doctl",
  ".config/rclone",
  ".config/containers/auth.json",
  ".terraform.d/credentials.tfrc.json",
  "AppData/Roaming/gcloud",
  // Code and packages
  ".config/gh",
  ".config/glab-cli",
  ".config/hub",
  ".config/git/credentials",
  ".git-credentials",
  ".netrc",
  "_netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".pgpass",
  ".my.cnf",
  // Agents and their tokens
  ".simplex-mcp",
  ".claude/.credentials.json",
  ".claude.json",
  ".codex/auth.json",
  ".gemini/oauth_creds.json",
  // Browsers, mail, messengers
  ".mozilla",
  ".thunderbird",
  ".config/google-chrome",
  ".config/chromium",
  ".config/BraveSoftware",
  ".config/microsoft-edge",
  ".config/vivaldi",
  ".config/opera",
  ".config/Signal",
  ".local/share/simplex",
  ".var/app/org.mozilla.firefox",
  ".var/app/com.google.Chrome",
  ".var/app/chat.simplex.simplex",
  "snap/firefox",
  "snap/chromium",
  "Library/Application Support/Firefox",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Chromium",
  "Library/Application Support/BraveSoftware",
  "Library/Application Support/Microsoft Edge",
  "Library/Application Support/Signal",
  "Library/Cookies",
  "Library/Safari",
  "AppData/Local/Google/Chrome",
  "AppData/Local/Microsoft/Edge",
  "AppData/Local/BraveSoftware",
  "AppData/Roaming/Mozilla",
  "AppData/Roaming/Thunderbird",
  "AppData/Roaming/Signal",
  "AppData/Roaming/SimpleX",
];

const PLACES = CREDENTIALS.map((place) => ({ place, parts: place.toLowerCase().split("/") }));

/** The entry of the list that the path is in, or is: `.ssh`. */
export function credentialPlace(path: string): string | undefined {
  const parts = path.toLowerCase().split(/[/\\]/);
  const starts = (part: readonly string[], at: number) =>
    part.every((name, index) => parts[at + index] === name);
  return PLACES.find((place) => parts.some((_, at) => starts(place.parts, at)))?.place;
}

/** What the system makes up as it is read: environments, memory, devices. */
export function isSystemPath(path: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(path);
}

export function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner === "" || !(inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner));
}

/** The folders of the agent, absolute and without links. */
export interface OwnFolders {
  /** The whole data folder. */
  root: string;
  /** What the agent downloaded: the one part of it that it may send from, but for `sent`. */
  files: string;
  sent: string;
}

/** Why a file at this path may not be sent, as a clause; undefined where nothing speaks against it. */
export function refusalOf(path: string, own: OwnFolders): string | undefined {
  if (isInside(own.files, path) && !isInside(own.sent, path)) return undefined;
  if (isInside(own.root, path)) return "is in the agent's data folder";
  const place = credentialPlace(path);
  if (place !== undefined) return `is in a place for credentials (${place})`;
  return isSystemPath(path) ? "belongs to the system" : undefined;
}

/** The absolute path that is meant by `~/a` and `~`; undefined for a relative path. */
export function absolutePath(path: string, home: string): string | undefined {
  if (path === "~" || path.startsWith("~/") || path.startsWith(`~${sep}`)) return join(home, path.slice(1));
  return isAbsolute(path) ? path : undefined;
}
