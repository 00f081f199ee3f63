import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { errorCode } from "./folder-error.js";

const run = promisify(execFile);

/** A process, told from a later one with the same id. */
export interface ProcessId {
  readonly pid: number;
  /** 16 hex digits made from its start time, `unknown` where the system does not tell it. */
  readonly started: string;
}

export async function thisProcess(): Promise<ProcessId> {
  return { pid: process.pid, started: markOf(await startOf(process.pid)) };
}

/**
 * Whether that very process still runs. Where a start time is unknown the process id alone decides: a lock is
 * rather kept than taken from a running server.
 */
export async function isRunning(holder: ProcessId): Promise<boolean> {
  if (!exists(holder.pid)) return false;
  const start = await startOf(holder.pid);
  if (start === "ended") return false;
  const started = markOf(start);
  return started === UNKNOWN || holder.started === UNKNOWN || started === holder.started;
}

const UNKNOWN = "unknown";

/** When a process started, in the system's own words; `ended` when it is dead but still has an id. */
type Start = string | "ended" | undefined;

function markOf(start: Start): string {
  if (start === undefined || start === "") return UNKNOWN;
  return createHash("sha256").update(start).digest("hex").slice(0, 16);
}

async function startOf(pid: number): Promise<Start> {
  try {
    if (process.platform === "linux") return await startOnLinux(pid);
    if (process.platform === "win32") return await startOnWindows(pid);
    return await startByPs(pid);
  } catch {
    return undefined;
  }
}

async function startOnLinux(pid: number): Promise<Start> {
  const [boot, stat] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8"),
    readFile(`/proc/${pid}/stat`, "utf8"),
  ]);
  const start = parseStat(stat);
  // Ticks count from the boot: a service gets nearly the same id and ticks again after a power cut.
  return start === undefined || start === "ended" ? start : `${boot.trim()} ${start}`;
}

/**
 * The start in clock ticks, field 22 of `/proc/PID/stat`. Counted from the end of field 2, since the name in it may
 * hold spaces and parentheses. A process that its parent has not collected yet (Z) has ended.
 */
export function parseStat(stat: string): Start {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : fields[19];
}

async function startOnWindows(pid: number): Promise<Start> {
  const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
  const { stdout } = await run("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", script]);
  return stdout.trim();
}

async function startByPs(pid: number): Promise<Start> {
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  const { stdout } = await run("ps", ["-o", "lstart=", "-p", String(pid)], {
    env,
  });
  return stdout.trim();
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, and belongs to another user.
    return errorCode(error) === "EPERM";
  }
}
