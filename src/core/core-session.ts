import type { Clock } from "../time/clock.js";
import { systemClock } from "../time/system-clock.js";
import type { ChatApiLike, CoreJson } from "./api/chat-api.js";
import { commands, type NewProfile } from "./commands.js";
import { CoreError } from "./errors/core-error.js";
import { isCommandError, isNoActiveUser } from "./errors/error-questions.js";
import { type Gate, Requests } from "./requests.js";
import type { Answer } from "./responses.js";
import type { User, UserServers } from "./types.js";

/** The core itself and the program's own user: what is done once at a start or a stop. */
export class CoreSession {
  protected readonly requests: Requests;

  /** With a `gate`, what others may notice goes out through it. */
  constructor(
    protected readonly api: ChatApiLike,
    protected readonly clock: Clock = systemClock,
    gate?: Gate,
  ) {
    this.requests = new Requests(api, clock, gate);
  }

  /** `handler` gets every event, also before `start`. It must return at once. */
  onEvent(handler: (event: CoreJson) => void): void {
    this.api.onAny(handler);
  }

  /** `handler` gets every answer of the core that is no error. It must return at once. */
  onAnswer(handler: (answer: Answer) => void): void {
    this.requests.onAnswer = handler;
  }

  async start(): Promise<void> {
    try {
      await this.api.startChat();
    } catch (error) {
      throw CoreError.from("/_start", error);
    }
  }

  /** Closes the databases; nothing works after it. Waits for no delivery. */
  async close(): Promise<void> {
    await this.api.close();
  }

  async version(): Promise<string> {
    return (await this.requests.read(commands.version(), "versionInfo")).versionInfo.version;
  }

  async activeUser(): Promise<User | undefined> {
    try {
      return (await this.requests.read(commands.activeUser(), "activeUser")).user;
    } catch (error) {
      if (isNoActiveUser(error)) return undefined;
      throw error;
    }
  }

  async createActiveUser(profile: NewProfile): Promise<User> {
    return (await this.requests.act(commands.createUser(profile), "activeUser")).user;
  }

  /** Creates a user whose profile says agent, or bot where the core is too old to know agents. */
  async createAgentUser(displayName: string): Promise<User> {
    const profile = { displayName, fullName: "" };
    try {
      return await this.createActiveUser({ ...profile, peerType: "agent" });
    } catch (error) {
      if (!isCommandError(error)) throw error;
      return await this.createActiveUser({ ...profile, peerType: "bot" });
    }
  }

  /** Lasts until the end of the process, so it is set at each start, before `start`. */
  async setNetwork(options: { socksProxy?: string } = {}): Promise<void> {
    await this.requests.act(commands.network(options.socksProxy), "networkConfig");
  }

  /** Must be set before `start`: transfers take it over then. */
  async setTempFolder(path: string): Promise<void> {
    await this.requests.act(commands.tempFolder(path), "cmdOk");
  }

  /** Replaces the servers of the active user; the core keeps them. */
  async setSmpServers(addresses: readonly string[]): Promise<void> {
    await this.requests.act(commands.smpServers(addresses), "cmdOk");
  }

  async setXftpServers(addresses: readonly string[]): Promise<void> {
    await this.requests.act(commands.xftpServers(addresses), "cmdOk");
  }

  /** Whether chats that members of groups ask for begin without being asked about. Only after `start`. */
  async setAutoAcceptMemberContacts(userId: number, on: boolean): Promise<void> {
    await this.requests.repeat(commands.autoAcceptMemberContacts(userId, on), "cmdOk");
  }

  async userServers(userId: number): Promise<UserServers[]> {
    return (await this.requests.read(commands.userServers(userId), "userServers")).userServers;
  }

  /** How many messages queued for these connections (`agentConnId`) no server has yet. */
  async undelivered(agentConnIds: readonly string[]): Promise<number> {
    if (agentConnIds.length === 0) return 0;
    const { rows } = await this.requests.read(commands.undelivered(agentConnIds), "sQLResult");
    return Number(rows[1]);
  }
}
