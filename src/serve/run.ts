import { OwnersListError, ownersPolicy } from "../control/owners/owners-list.js";
import type { ChatApiLike } from "../core/api/chat-api.js";
import type { CoreError } from "../core/errors/errors.js";
import { openLibrary, routeConsoleToStderr } from "../core/library/library.js";
import { agentFolder } from "../data-folder/paths.js";
import { EXIT } from "../terminal/exit.js";
import { shellQuoted } from "../terminal/hints.js";
import type { QrSize } from "../terminal/lines.js";
import { logError, logLine, printLine } from "../terminal/output.js";
import { aborted, StopSignals } from "../terminal/stop-signals.js";
import { systemClock } from "../time/system-clock.js";
import type { RunningServer } from "./serve.js";
import { GivenUp, serve } from "./serve.js";

/** The options of `serve`, as the command line gives them. */
export interface ServeFlags {
  displayName?: string;
  data?: string;
  port?: number;
  approve: "requests" | "host";
  owners?: string | true;
  resetOwners?: boolean;
  expireHours: number;
  stopWait: number;
  qrCode: QrSize;
  socksProxy?: string;
  smpServer: string[];
  xftpServer: string[];
  hold: number;
}

/** Serves until a signal; resolves with the exit code. */
export async function runServe(agent: string, flags: ServeFlags): Promise<number> {
  // stdout carries only the lines for a person; the library prints to it.
  routeConsoleToStderr();
  // A reader of the lines that is gone is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  // The core makes its files as the process does: for this user alone.
  process.umask(0o077);
  const signals = new StopSignals(exitNow);
  try {
    const server = await serve(
      {
        agent,
        displayName: flags.displayName,
        dataFolder: agentFolder(agent, flags.data),
        dataOption: flags.data,
        port: flags.port,
        approve: flags.approve,
        owners: ownersPolicy(flags.owners),
        resetOwners: flags.resetOwners === true,
        expireHours: flags.expireHours,
        stopWaitSeconds: flags.stopWait,
        qrCode: flags.qrCode,
        socksProxy: flags.socksProxy,
        smpServers: flags.smpServer,
        xftpServers: flags.xftpServer,
        holdSeconds: flags.hold,
      },
      {
        openCore,
        clock: systemClock,
        print: printLine,
        log: logLine,
        columns: process.stdout.columns,
        lateJoinersMs: LATE_JOINERS_MS,
        giveUp: signals.asked,
      },
    );
    return await untilStopped(server, signals);
  } catch (error) {
    if (error instanceof GivenUp) {
      printLine("Stopped.");
      return EXIT.done;
    }
    logError(error);
    return error instanceof OwnersListError ? EXIT.usage : EXIT.failed;
  } finally {
    signals.close();
  }
}

/** A start that is stuck is left at once by a second signal. */
export function exitNow(): void {
  process.exit(EXIT.failed);
}

/** Recorded are 0.4 s from the core's start to the first request that had waited. */
const LATE_JOINERS_MS = 3000;

/** Different ones that are told of in a run. */
const MOST_ASYNC_ERRORS = 100;

/** The real core. What fails in its own work, behind no command, is told on stderr. */
function openCore(filePrefix: string): Promise<ChatApiLike> {
  const args = process.argv.slice(2).map(shellQuoted).join(" ");
  const told = new Set<string>();
  const onAsyncError = ({ message }: CoreError): void => {
    // Many a one comes again and again, and means nothing to anybody.
    if (told.has(message) || told.size >= MOST_ASYNC_ERRORS) return;
    told.add(message);
    logLine(message);
  };
  return openLibrary(filePrefix, { args, onAsyncError });
}

/**
 * Waits for a signal or a failure, and stops the server; a second signal ends the wait for the last cards, a third one
 * whatever hangs.
 */
export async function untilStopped(
  server: RunningServer,
  signals: StopSignals = new StopSignals(exitNow),
): Promise<number> {
  const reason = await Promise.race([aborted(signals.asked), server.failed]);
  if (reason !== undefined) logLine(reason);
  signals.onFurther = () => {
    signals.onFurther = exitNow;
    server.stopNow();
  };
  await server.stop();
  signals.close();
  return reason === undefined ? EXIT.done : EXIT.failed;
}
