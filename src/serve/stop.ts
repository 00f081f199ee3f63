import type { ControlChat } from "../control/chat/chat.js";
import type { Core } from "../core/core.js";
import { explain } from "../core/errors/explain.js";
import { isCurrent } from "../core/limits.js";
import { aborted } from "../terminal/stop-signals.js";
import { count } from "../text/format.js";
import type { Clock } from "../time/clock.js";

export interface StopOptions {
  core: Core;
  chat: ControlChat;
  clock: Clock;
  print: (line: string) => void;
  log: (line: string) => void;
  /** At most so long; 0: not at all. */
  waitSeconds: number;
  /** Aborted by a second signal. */
  hurry: AbortSignal;
}

/** The core tells what it has not handed to the servers yet; asked so often. Milliseconds. */
const POLL_MS = 100;

/** What a second signal leaves to commands that are under way. Milliseconds. */
const GRACE_MS = 1000;

/** How long the owner's command that is being done may take at the stop: a core that hangs answers none. Milliseconds. */
const LAST_COMMAND_MS = 5000;

/** Waits until what an owner asked for last is done and answered, within reason. */
export async function lastCommand(done: Promise<void>, clock: Clock): Promise<void> {
  const over = new AbortController();
  await Promise.race([done, pause(clock, LAST_COMMAND_MS, over.signal)]).finally(() => over.abort());
}

/** Waits for `ended`, or until soon after a second signal: a core that does not answer holds nobody up. */
export async function unlessHurried(
  ended: Promise<void>,
  { clock, hurry }: Pick<StopOptions, "clock" | "hurry">,
): Promise<void> {
  const over = new AbortController();
  const hurried = aborted(hurry).then(() => pause(clock, GRACE_MS, over.signal));
  await Promise.race([ended, hurried]).finally(() => over.abort());
}

/** Waits until the last `cards` have left for the owners' servers. A card is not seen as cancelled before. */
export async function waitForDelivery(cards: number, options: StopOptions): Promise<void> {
  const { core, chat, clock, print, log, waitSeconds, hurry } = options;
  if (cards === 0 || waitSeconds === 0) return;
  print(`Stopping: sending ${count(cards, "cancelled card")}, up to ${waitSeconds} s. Ctrl-C to stop now.`);
  const until = clock.elapsed() + waitSeconds * 1000;
  try {
    const { members } = await core.listMembers(chat.groupId);
    const connections = members.flatMap((member) =>
      isCurrent(member) && member.activeConn ? [member.activeConn.agentConnId] : [],
    );
    while (!hurry.aborted && clock.elapsed() < until) {
      if ((await core.undelivered(connections)) === 0) return;
      await pause(clock, POLL_MS, hurry);
    }
  } catch (error) {
    log(`Waiting for the last cards: ${explain(error)}`);
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancel = clock.after(ms, done);
    function done(): void {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done, { once: true });
  });
}
