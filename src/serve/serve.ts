import { Core } from "../core/core.js";
import { explain } from "../core/errors/explain.js";
import { EventQueue } from "../core/events.js";
import type { ChatEvent } from "../core/types.js";
import { WatchedApi } from "../core/watched-api.js";
import { openDataFolder } from "../data-folder/data-folder.js";
import { readServerJson, writeServerJson } from "../data-folder/server-json.js";
import { ChatNames } from "../messages/chat-names.js";
import { HttpServer } from "../server/http.js";
import { portsToTry } from "../server/ports.js";
import { registerAgain } from "../terminal/hints.js";
import { pausedWords } from "../terminal/lines.js";
import { VERSION } from "../terminal/version.js";
import { count } from "../text/format.js";
import { createAgentServer } from "../tools/agent-tools.js";
import type { ServeOptions, ServeWorld } from "./options.js";
import { handle, makeParts, type Parts, serveOwners } from "./parts.js";
import { reportStatus } from "./report.js";
import { agentUser, bootCore } from "./start.js";
import { lastCommand, type StopOptions, unlessHurried, waitForDelivery } from "./stop.js";

export type { ServeOptions, ServeWorld } from "./options.js";

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
  world: ServeWorld,
  undo: (() => Promise<void>)[],
): Promise<RunningServer> {
  const { agent, dataFolder, approve: mode, expireHours } = options;
  const { openCore, clock, print, log, program } = world;
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

  const last = await readServerJson(folder.paths.serverJson);
  let running: Parts | undefined;
  const ready = (): Parts => {
    if (!running) throw new Error("the agent is not started");
    return running;
  };
  // Before the core: a port that cannot be had costs nothing. Until it is opened, it answers that it is not ready.
  const http = await HttpServer.listen({
    registerAgain: registerAgain(agent, options.dataOption, program),
    ports: portsToTry({ wanted: options.port, last: last?.port }),
    token: folder.token,
    createServer: () => createAgentServer(ready().deps, VERSION),
    status: () => {
      const { owners, deps } = ready();
      return reportStatus({ agent, expireHours, startedAt, owners, deps });
    },
    clock,
    log,
  });
  undo.push(() => http.close());

  const api = new WatchedApi(await openCore(folder.paths.databasePrefix), ({ message }) =>
    fail(`${message}. The server stops: start it again when this is solved.`),
  );
  const core = new Core(api, clock, log);
  undo.push(() => core.close());
  let onEvent: (event: ChatEvent) => Promise<void> = async () => undefined;
  const events = new EventQueue(
    (event) => onEvent(event),
    (error) => log(`An event could not be handled: ${explain(error)}`),
  );
  core.onEvent((event) => events.push(event));
  const names = new ChatNames();
  core.onAnswer((answer) => names.hear(answer));

  print(`simplex-mcp ${VERSION}, SimpleX core ${await core.version()}`);
  print(`Data folder: ${dataFolder}`);
  print(`Approval mode: ${mode}`);
  const { user, created } = await agentUser(core, options);
  const waiting = await bootCore(core, { user, created }, options, folder.paths.tmp);
  const parts = await makeParts({ core, user, paths: folder.paths, options, world, onGone: fail, names });
  running = parts;
  const { chat, owners, control, actions, pause, incoming, heldAddress, files, deps } = parts;
  const { current: paused } = pause;
  if (paused) print(`Paused ${pausedWords(paused, clock.now())}. Write /resume in the agent control chat.`);
  await writeServerJson(folder.paths.serverJson, {
    url: http.url,
    port: http.port,
    expireHours,
    version: VERSION,
    approve: mode,
  });

  await owners.start();
  serveOwners(parts, print);
  if (pause.current) await heldAddress.hold();
  await incoming.restore(waiting);
  onEvent = (event) => handle(parts, event);
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
    incoming.stop();
    events.close();
    files.close();
    const cancelled = actions.unfinished;
    const cancelling = actions.stop();
    const ended = async () => {
      await http.close(failure);
      await lastCommand(events.idle(), clock);
      await deps.background.idle();
      await incoming.idle();
      await cancelling;
    };
    await unlessHurried(ended(), stopOptions);
    // A core that failed delivers nothing more.
    if (cancelled > 0 && failure === undefined) {
      print(`Cancelled ${count(cancelled, "action")}.`);
      await unlessHurried(waitForDelivery(control.shownSinceStop, stopOptions), stopOptions);
    }
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
