import { systemClock } from "./clock.js";
import { OwnersListError, ownersPolicy } from "./control/owners-list.js";
import type { ChatApiLike } from "./core/chat-api.js";
import { openLibrary, routeConsoleToStderr } from "./core/library.js";
import { EXIT } from "./exit.js";
import type { RunningServer } from "./serve.js";
import { serve } from "./serve.js";
import { agentFolder } from "./server/paths.js";
import type { QrSize } from "./terminal-lines.js";

/** The options of `serve`, as the command line gives them. */
export interface ServeFlags {
  displayName?: string;
  data?: string;
  port?: number;
  approve: "requests" | "host";
  owners?: string | true;
  resetOwners: boolean;
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
        resetOwners: flags.resetOwners,
        expireHours: flags.expireHours,
        stopWaitSeconds: flags.stopWait,
        qrCode: flags.qrCode,
        socksProxy: flags.socksProxy,
        smpServers: flags.smpServer,
        xftpServers: flags.xftpServer,
        holdSeconds: flags.hold,
      },
      { openCore, clock: systemClock, print: printLine, log: logLine },
    );
    return await untilStopped(server);
  } catch (error) {
    logError(error);
    return error instanceof OwnersListError ? EXIT.usage : EXIT.failed;
  }
}

/** The real core. What fails in its own work, behind no command, is told on stderr. */
function openCore(filePrefix: string): Promise<ChatApiLike> {
  return openLibrary(filePrefix, { onAsyncError: (error) => logLine(error.message) });
}

/** Waits for a signal or a failure, and stops the server; a second signal ends the wait for the last cards. */
export async function untilStopped(
  server: RunningServer,
  signals: readonly NodeJS.Signals[] = SIGNALS,
): Promise<number> {
  let onSignal: () => void = () => undefined;
  const signalled = new Promise<undefined>((resolve) => {
    onSignal = () => resolve(undefined);
  });
  const listener = (): void => onSignal();
  for (const signal of signals) process.on(signal, listener);
  const reason = await Promise.race([signalled, server.failed]);
  if (reason !== undefined) logLine(reason);
  onSignal = () => server.stopNow();
  await server.stop();
  for (const signal of signals) process.off(signal, listener);
  return reason === undefined ? EXIT.done : EXIT.failed;
}

const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A line on stderr, with the time. */
export function logLine(line: string): void {
  process.stderr.write(`${new Date().toISOString()} ${line}\n`);
}

/** One line says why and what to do; the stack only where `DEBUG` asks for it. */
export function logError(error: unknown): void {
  logLine(error instanceof Error ? error.message : String(error));
  if (process.env.DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}
