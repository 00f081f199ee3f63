import { randomUUID } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FolderError, fileWork } from "./folder-error.js";
import { isRunning, type ProcessId } from "./process-start.js";

const POLL_MS = 10;
/** The name of a ticket: process id, its start, and a random part. */
export const TICKET = /^lock\.([1-9]\d*)\.([0-9a-z]+)\.[0-9a-f-]{36}$/;

interface Ticket extends ProcessId {
  readonly name: string;
}

/**
 * Lets one process at a time through, and survives a crash inside. Each puts down a ticket, a file that carries
 * its identity in the name, and passes when it then sees nobody else's. A dead process never comes back, so
 * removing its ticket can never remove a living one's: the flaw of deleting a file whose name all share.
 * Returns how to leave. Polls in real time, since it waits for other processes.
 */
export async function enterGate(
  folder: string,
  me: ProcessId,
  patienceMs = 10_000,
): Promise<() => Promise<void>> {
  const name = `lock.${me.pid}.${me.started}.${randomUUID()}`;
  const ticket = join(folder, name);
  const leave = () => rm(ticket, { force: true });
  const deadline = performance.now() + patienceMs;
  try {
    for (;;) {
      await fileWork(folder, () => writeFile(ticket, "", { mode: 0o600 }));
      const first = await firstOther(folder, name);
      if (first === undefined) return leave;
      if (performance.now() > deadline) {
        throw new FolderError(`Another start on this folder is under way (process ${first.pid}). Try again.`);
      }
      // The lowest name stays, so that two who see each other do not both give way for ever.
      if (first.name < name) await leave();
      await sleep(POLL_MS);
    }
  } catch (error) {
    await leave();
    throw error;
  }
}

/** The living ticket with the lowest name, other than the own one. Removes those of dead processes on the way. */
async function firstOther(folder: string, own: string): Promise<Ticket | undefined> {
  const names = await fileWork(folder, () => readdir(folder));
  for (const name of names.sort()) {
    const ticket = name === own ? undefined : parseTicket(name);
    if (ticket === undefined) continue;
    if (await isRunning(ticket)) return ticket;
    await fileWork(folder, () => rm(join(folder, name), { force: true }));
  }
  return undefined;
}

function parseTicket(name: string): Ticket | undefined {
  const [, pid, started] = TICKET.exec(name) ?? [];
  return pid === undefined || started === undefined ? undefined : { name, pid: Number(pid), started };
}
