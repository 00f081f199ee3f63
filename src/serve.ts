import { Actions } from "./actions/actions.js";
import type { Clock } from "./clock.js";
import { ControlChat } from "./control/chat.js";
import { Control } from "./control/control.js";
import { FileNotices } from "./control/file-notices.js";
import { Forward } from "./control/forward.js";
import { Owners } from "./control/owners.js";
import type { OwnersPolicy } from "./control/owners-list.js";
import { textTooLong } from "./control/size.js";
import { StandingApprovals } from "./control/standing-approvals.js";
import type { ChatApiLike } from "./core/chat-api.js";
import { Core } from "./core/core.js";
import { EventQueue } from "./core/events.js";
import { explain } from "./core/explain.js";
import type { ChatEvent } from "./core/types.js";
import { WatchedApi } from "./core/watched-api.js";
import { AgentFiles } from "./files/agent-files.js";
import { Claims } from "./messages/claims.js";
import { ChatItemsWatch } from "./messages/watch.js";
import { reportStatus } from "./report.js";
import { openDataFolder } from "./server/data-folder.js";
import { HttpServer } from "./server/http.js";
import { portsToTry } from "./server/ports.js";
import { readServerJson, writeServerJson } from "./server/server-json.js";
import { agentUser, bootCore } from "./start.js";
import { type StopOptions, waitForDelivery } from "./stop.js";
import { ownerLinkLines, type QrSize, registerHint } from "./terminal-lines.js";
import type { AgentDeps, ApprovalMode } from "./tools/agent.js";
import { createAgentServer } from "./tools/agent-tools.js";
import { Background } from "./tools/background.js";
import { Connections } from "./tools/connections.js";
import { readChat } from "./tools/known-chat.js";
import { leaveChat } from "./tools/leave.js";
import { VERSION } from "./version.js";

/** Options of `serve`, checked. */
export interface ServeOptions {
  agent: string;
  /** For a new profile; the agent's name where none was given. */
  displayName: string | undefined;
  /** The data folder, absolute, and whether it was named on the command line. */
  dataFolder: string;
  dataOption: string | undefined;
  port: number | undefined;
  approve: ApprovalMode;
  owners: OwnersPolicy;
  resetOwners: boolean;
  expireHours: number;
  stopWaitSeconds: number;
  qrCode: QrSize;
  socksProxy: string | undefined;
  smpServers: readonly string[];
  xftpServers: readonly string[];
  holdSeconds: number;
}

/** What the server runs on: the real world, or that of a test. */
export interface ServeWorld {
  /** Opens the SimpleX databases with this prefix. */
  openCore: (filePrefix: string) => Promise<ChatApiLike>;
  clock: Clock;
  /** A line for the person at the terminal (stdout), and one on something wrong (stderr). */
  print: (line: string) => void;
  log: (line: string) => void;
  /** Aborted when a start is not wanted any more: `serve` rejects with `GivenUp`. */
  giveUp?: AbortSignal;
  /** For tests: other limits of new actions. */
  actionLimits?: { pending: number; cardsPerMinute: number };
}

/** A server that listens. */
export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Resolves with the reason when it cannot go on by itself; then `stop` it. */
  readonly failed: Promise<string>;
  /** Cancels what is pending, tells the owners, closes everything. `stopNow` ends its wait. */
  stop(): Promise<void>;
  stopNow(): void;
}

/** The start was not wanted any more. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/** Boots the parts, wires them, and listens. Rejects, with everything closed again, when one of them cannot start. */
export async function serve(options: ServeOptions, world: ServeWorld): Promise<RunningServer> {
  const undo: (() => Promise<void>)[] = [];
  try {
    return await Promise.race([start(options, world, undo), givenUp(world.giveUp)]);
  } catch (error) {
    for (const close of undo.reverse())
      await close().catch((failure: unknown) => world.log(explain(failure)));
    throw error;
  }
}

/** Rejects when the start is given up: its steps may wait long for the network. */
function givenUp(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(new GivenUp()), { once: true });
  });
}

async function start(
  options: ServeOptions,
  { openCore, clock, print, log, actionLimits }: ServeWorld,
  undo: (() => Promise<void>)[],
): Promise<RunningServer> {
  const { agent, dataFolder, approve: mode, expireHours } = options;
  const startedAt = clock.now();
  const folder = await openDataFolder({ agent, root: dataFolder });
  undo.push(() => folder.release());
  let fail: (reason: string) => void = () => undefined;
  let failure: string | undefined;
  const failed = new Promise<string>((resolve) => {
    fail = (reason) => {
      failure ??= reason;
      resolve(reason);
    };
  });

  const api = new WatchedApi(await openCore(folder.paths.databasePrefix), ({ message }) =>
    fail(`${message}. The server stops: start it again when this is solved.`),
  );
  const core = new Core(api, clock);
  undo.push(() => core.close());
  let onEvent: (event: ChatEvent) => Promise<void> = async () => undefined;
  const events = new EventQueue(
    (event) => onEvent(event),
    (error) => log(`An event could not be handled: ${explain(error)}`),
  );
  core.onEvent((event) => events.push(event));

  print(`simplex-mcp ${VERSION}, SimpleX core ${await core.version()}`);
  print(`Data folder: ${dataFolder}`);
  print(`Approval mode: ${mode}`);
  const user = await agentUser(core, options);
  await bootCore(core, options, folder.paths.tmp);
  const { displayName } = user.profile;

  const { chat, created } = await ControlChat.open(core, user, {
    displayName,
    reset: options.resetOwners,
    clock,
    log,
  });
  if (created) print(`Agent control chat "${displayName}" created.`);
  const owners = new Owners({
    chat,
    policy: options.owners,
    print,
    log,
    showLink: (link) => ownerLinkLines(link, displayName, options.qrCode).forEach(print),
    onReady: () => print(registerHint(agent, options.dataOption)),
  });
  await owners.load();
  const notices = new FileNotices({ say: (text) => chat.say(text), clock, log });
  const files = new AgentFiles({
    core,
    clock,
    paths: folder.paths,
    log,
    onNotSent: (failure) => notices.notSent(failure),
  });
  const control = new Control({
    chat,
    owners,
    files: { kept: (ref) => files.folders.kept(ref), delete: (ref) => files.deleteOf(ref) },
    forward: new Forward({ chat, files, log }),
    print,
    log,
    onGone: fail,
  });
  const standing = new StandingApprovals({
    core,
    enabled: mode === "requests",
    isApproverSince: (member, time) => owners.isApproverSince(member, time),
    now: () => clock.now(),
  });
  const actions = new Actions({
    board: control,
    clock,
    firstNumber: chat.nextAction,
    expireHours,
    log,
    ...(actionLimits ? { limits: actionLimits } : {}),
  });
  const deps: AgentDeps = {
    core,
    user,
    clock,
    actions,
    watch: new ChatItemsWatch(clock, (ref) => ref === chat.ref),
    claims: new Claims(),
    connections: new Connections(),
    background: new Background(),
    standing,
    viewer: { name: displayName, filesFolder: folder.paths.files },
    files,
    tellRefused: (ref, path, why) => notices.refused(ref, path, why),
    controlChat: chat.ref,
    mode,
    holdMs: options.holdSeconds * 1000,
    log,
  };

  const last = await readServerJson(folder.paths.serverJson);
  const http = await HttpServer.listen({
    agent,
    ports: portsToTry({ wanted: options.port, last: last?.port }),
    token: folder.token,
    createServer: () => createAgentServer(deps, VERSION),
    status: () => reportStatus({ agent, expireHours, startedAt, owners, deps }),
    clock,
    log,
  });
  undo.push(() => http.close());
  await writeServerJson(folder.paths.serverJson, {
    url: http.url,
    port: http.port,
    expireHours,
    version: VERSION,
    approve: mode,
  });

  await owners.start();
  control.serve({
    core,
    user,
    clock,
    actions,
    standing,
    controlChat: chat.ref,
    mode,
    bytesTooLong: textTooLong,
    leave: async (ref) => leaveChat(deps, await readChat(deps, ref)),
    print,
  });
  // The waiting calls first: what an owner's command does comes after what it was about.
  onEvent = async (event) => {
    deps.watch.onEvent(event);
    deps.connections.onEvent(event);
    files.onEvent(event);
    await control.onEvent(event);
  };
  http.open();
  print(`Listening on ${http.url}`);
  events.open();

  const hurry = new AbortController();
  const stopOptions: StopOptions = {
    core,
    chat,
    clock,
    print,
    log,
    waitSeconds: options.stopWaitSeconds,
    hurry: hurry.signal,
  };
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    control.stop();
    events.close();
    files.close();
    const cancelling = actions.stop();
    await http.close(failure);
    await deps.background.idle();
    const cards = await cancelling;
    // A core that failed delivers nothing more.
    if (cards > 0 && failure === undefined) await waitForDelivery(cards, stopOptions);
    await core.close().catch((error: unknown) => log(`SimpleX was not closed: ${explain(error)}`));
    await folder.release();
    print("Stopped.");
  };
  return {
    url: http.url,
    port: http.port,
    token: folder.token,
    failed,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
    stopNow: () => hurry.abort(),
  };
}
