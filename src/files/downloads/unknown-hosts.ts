/** Where a file is that the agent's own list of servers does not name. */
import type { Core } from "../../core/core.js";
import { FileError } from "../disk/file-error.js";
import type { FileRef } from "./offered-file.js";
import { type FileServers, hostsOf, MOST_SERVERS, unique, unknownServers } from "./servers.js";

export interface ServersOptions {
  core: Pick<Core, "getItemInfo" | "userServers">;
  userId: number;
  servers: FileServers;
}

/** Hosts of the file's servers that the agent's list lacks, as far as they are known now. */
export async function unknownHosts(
  { core, userId, servers }: ServersOptions,
  { chat, item }: Pick<FileRef, "chat" | "item">,
): Promise<string[]> {
  const refused = servers.refused(item);
  const all = servers.of(item) ?? (await core.getItemInfo(chat, item)).fileServers ?? [];
  if (Math.max(refused.length, all.length) > MOST_SERVERS) {
    throw new FileError(
      `The file is on more than ${MOST_SERVERS} servers, too many to ask an owner about. Ask for it to be sent again.`,
    );
  }
  const known = (await core.userServers(userId)).flatMap(({ xftpServers }) =>
    xftpServers.map(({ server }) => server),
  );
  return unique([...refused, ...unknownServers(all, known)].flatMap(hostsOf));
}

/** The hosts among those of the file now that a card did not name: nobody approved them. */
export function hostsNotNamed(now: readonly string[], named: readonly string[]): string[] {
  return now.filter((host) => !named.includes(host));
}
