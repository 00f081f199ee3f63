import type { Core } from "../core/core.js";
import { validName } from "../core/errors/errors.js";
import type { User } from "../core/types.js";
import type { RequestId } from "../incoming/line.js";
import { waitingRequests } from "../incoming/request.js";

/** The server cannot start as it was asked to; the message says what to do. */
export class StartError extends Error {
  override name = "StartError";
}

/** The agent's profile, made at the first start. */
export async function agentUser(
  core: Core,
  options: { agent: string; displayName: string | undefined },
): Promise<{ user: User; created: boolean }> {
  const user = await core.activeUser();
  return user ? { user, created: false } : { user: await createUser(core, options), created: true };
}

async function createUser(
  core: Core,
  { agent, displayName }: { agent: string; displayName: string | undefined },
): Promise<User> {
  try {
    return await core.createAgentUser(displayName ?? agent);
  } catch (error) {
    const valid = validName(error);
    if (valid === undefined) throw error;
    // An agent's name may have what a display name may not.
    if (displayName === undefined && valid !== "") return await core.createAgentUser(valid);
    const refused = `SimpleX does not allow "${displayName ?? agent}" as a display name.`;
    const example = valid === "" ? "My Agent" : valid;
    throw new StartError(`${refused} Give one with --display-name, such as "${example}".`);
  }
}

/**
 * Sets what the core keeps in memory only, starts it with nothing that it accepts by itself but by the address, and
 * gives it its servers. Resolves with the requests that waited before: what came while nothing ran arrives as events.
 */
export async function bootCore(
  core: Core,
  { user, created }: { user: User; created: boolean },
  options: { socksProxy: string | undefined; smpServers: readonly string[]; xftpServers: readonly string[] },
  temporaryFolder: string,
): Promise<RequestId[]> {
  const { socksProxy, smpServers, xftpServers } = options;
  await core.setNetwork(socksProxy === undefined ? {} : { socksProxy });
  await core.setTempFolder(temporaryFolder);
  // All chats are read for it: of these answers the names of chats are known, too.
  const waiting = created ? [] : await waitingRequests(core, user.userId);
  await core.start();
  if (user.autoAcceptMemberContacts) await core.setAutoAcceptMemberContacts(user.userId, false);
  if (smpServers.length > 0) await core.setSmpServers(smpServers);
  if (xftpServers.length > 0) await core.setXftpServers(xftpServers);
  return waiting;
}
