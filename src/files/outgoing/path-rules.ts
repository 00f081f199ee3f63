/** Which places on this computer the agent may not send files from. Pure: `real` is a path without links. */
import { isAbsolute, join, relative, sep } from "node:path";
import { CREDENTIAL_NAMES, CREDENTIAL_PLACES } from "./credential-places.js";

const PLACES = CREDENTIAL_PLACES.map((place) => ({ place, parts: place.toLowerCase().split("/") }));

/** The entry of the list that the path is in, or is: `.ssh`. Of a file that is one by its name, the name. */
export function credentialPlace(path: string): string | undefined {
  const parts = path.toLowerCase().split(/[/\\]/);
  const starts = (part: readonly string[], at: number) =>
    part.every((name, index) => parts[at + index] === name);
  const place = PLACES.find((one) => parts.some((_, at) => starts(one.parts, at)))?.place;
  const [name = ""] = parts.slice(-1);
  return place ?? (CREDENTIAL_NAMES.some((one) => one.test(name)) ? name : undefined);
}

/** What the system makes up as it is read: environments, memory, devices, files by their numbers; and its secrets. */
export function isSystemPath(path: string): boolean {
  return /^\/(?:proc|sys|dev|\.vol|(?:var\/)?run\/(?:secrets|secrets\.d|agenix|agenix\.d|credentials))(?:\/|$)/.test(
    path,
  );
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

/** The agent downloaded it: it may send it on. */
export function isOwnDownload(path: string, own: OwnFolders): boolean {
  return isInside(own.files, path) && !isInside(own.sent, path);
}

/** Why a file at this path may not be sent, as a clause; undefined where nothing speaks against it. */
export function refusalOf(path: string, own: OwnFolders): string | undefined {
  if (isOwnDownload(path, own)) return undefined;
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
