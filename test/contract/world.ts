import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { CoreJson } from "../../src/core/api/chat-api.js";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import type { SimulatedChatApi } from "../../src/simulator/user/chat-api.js";
import { ReplayClock } from "./replay-clock.js";
import { Translation } from "./translation.js";

/** An event of the simulated run that no recorded one was matched to yet. */
export interface Arrival {
  event: CoreJson;
  /** Ascends over all events of one user. */
  order: number;
}

/** The addresses of the recording machine's servers, as its commands name them. */
const SMP = "/smp smp://3ku0W5Stn1Ti6QisYJ5Lnak5lH4t4bZENUA_M-SBwuY=@127.0.0.1";
const XFTP = "/xftp xftp://Q7y8X1FmyRs5_elz_zy2iKGa5QkOXFfVlXi1SAk16_w=@127.0.0.1:7002";

/** The files folder of a user on the recording machine. */
export const filesFolder = (name: string): string => `/world/${name}.files`;

/** The users of a recording on a simulated network. */
export class World {
  readonly clock: ReplayClock;
  readonly network: SimulatedNetwork;
  readonly translation = new Translation();
  /** Stands for the root of the recording machine's folders `/world` and `/DATA`. */
  readonly folder = mkdtempSync(join(tmpdir(), "replay-"));
  readonly arrivals = new Map<string, Arrival[]>();
  private readonly apis = new Map<string, SimulatedChatApi>();
  private arrived = 0;

  /** `start`: when the recording began, ms since 1970. */
  constructor(start = Date.parse("2026-11-30T12:00:00Z")) {
    this.clock = new ReplayClock(start);
    this.network = new SimulatedNetwork({ clock: this.clock, seed: 7, order: "answerFirst" });
    for (const folder of ["/world", "/DATA"])
      this.translation.noteName(`${folder}/`, `${this.folder}${folder}/`);
  }

  /** Removes the files of the run. */
  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Opens a user's database; `database` where two open one. */
  open(who: string, database = who): void {
    const api = this.network.open(database);
    const arrivals = this.arrivals.get(who) ?? [];
    this.arrivals.set(who, arrivals);
    api.onAny((event) => {
      arrivals.push({ event, order: this.arrived++ });
    });
    this.apis.set(who, api);
  }

  /** A new user with a started chat, as the recordings begin with. */
  async newUser(
    who: string,
    profile: object = { displayName: who, fullName: "" },
    port = 7001,
  ): Promise<void> {
    this.open(who);
    await this.run(who, `/_create user ${JSON.stringify({ profile, pastTimestamp: false })}`);
    await this.start(who);
    await this.run(who, `${SMP}:${port}`);
    await this.run(who, XFTP);
    await this.say(
      who,
      `/_files_folder ${filesFolder("displayName" in profile ? String(profile.displayName) : who)}`,
    );
  }

  /** Makes a file of so many bytes at a path of the recording machine. */
  file(path: string, size: number): void {
    const here = this.translation.text(path);
    mkdirSync(dirname(here), { recursive: true });
    writeFileSync(here, "");
    truncateSync(here, size);
  }

  deleteFile(path: string): void {
    rmSync(this.translation.text(path));
  }

  /** Makes a folder of the recording machine. */
  makeFolder(path: string): void {
    mkdirSync(this.translation.text(path), { recursive: true });
  }

  async start(who: string): Promise<CoreJson> {
    return this.api(who).startChat();
  }

  async stop(who: string): Promise<void> {
    await this.api(who).stopChat();
  }

  async closeUser(who: string): Promise<void> {
    await this.api(who).close();
  }

  /** Sends a command as it stands. */
  async run(who: string, command: string): Promise<CoreJson> {
    return this.api(who).sendChatCmd(command);
  }

  /** Sends a command with the ids and links of the recording. */
  async say(who: string, recorded: string): Promise<CoreJson> {
    return this.run(who, this.translation.command(who, recorded));
  }

  /** Does what was not recorded: its events are nobody's. */
  async unrecorded(step: () => Promise<unknown>): Promise<void> {
    await this.idle();
    const before = new Map([...this.arrivals].map(([who, events]) => [who, events.length]));
    await step();
    await this.idle();
    for (const [who, events] of this.arrivals) events.length = before.get(who) ?? 0;
  }

  /** Lets the network work until `done`, or until nothing is left to do. */
  async pump(done: () => boolean): Promise<void> {
    let idle = false;
    void this.network.idle().then(() => {
      idle = true;
    });
    while (!idle && !done()) await turn();
  }

  async idle(): Promise<void> {
    await this.network.idle();
  }

  /** The user's program is killed: events that it did not get yet are lost. */
  async kill(who: string): Promise<void> {
    await this.closeUser(who);
    const arrivals = this.arrivals.get(who);
    if (arrivals) arrivals.length = 0;
  }

  private api(who: string): SimulatedChatApi {
    const api = this.apis.get(who);
    if (api === undefined) throw new Error(`${who} is no user of this world`);
    return api;
  }
}
