import type { OwnersPolicy } from "../control/owners/owners-list.js";
import type { ChatApiLike } from "../core/api/chat-api.js";
import type { QrSize } from "../terminal/lines.js";
import type { Clock } from "../time/clock.js";
import type { ApprovalMode } from "../tools/call/agent.js";

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
  /** How this program is called, for commands to copy; by default as the published one. */
  program?: string;
  /** Of the terminal. */
  columns?: number;
  /**
   * How long a start without an owner waits for those who used the last link while nothing ran: the core hears of them
   * a moment after it is started. Milliseconds, by default 0.
   */
  lateJoinersMs?: number;
  /** Aborted when a start is not wanted any more: `serve` rejects with `GivenUp`. */
  giveUp?: AbortSignal;
  /** For tests: other limits of new actions. */
  actionLimits?: { pending?: number; cardsPerMinute?: number; actsPerMinute?: number };
}
