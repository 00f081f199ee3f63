import type { ActionFields, Decision, NamedChat, StandingDecision } from "../../actions/action.js";
import type { Actions } from "../../actions/actions.js";
import type { Pause } from "../../actions/pause.js";
import type { Core } from "../../core/core.js";
import type { ChatInfo, ChatRef, User } from "../../core/types.js";
import type { AgentFiles } from "../../files/agent-files.js";
import type { OwnLinks } from "../../incoming/links.js";
import type { Claims } from "../../messages/unread.js";
import type { Viewer } from "../../messages/view.js";
import type { ChatItemsWatch } from "../../messages/watch.js";
import type { Clock } from "../../time/clock.js";
import type { Background } from "./background.js";
import type { Connections } from "./connections.js";

export type ApprovalMode = "requests" | "host";

/** Standing approvals, as the tools need them. */
export interface StandingApprovals {
  /** Whether something of all these kinds would be let through now. */
  stands(chat: ChatInfo, ...kinds: StandingKind[]): boolean;
  /** Lets one act of all these kinds through; undefined when it needs its own approval. Counted ones have one less. */
  take(chat: ChatInfo, ...kinds: StandingKind[]): Promise<Decision | undefined>;
  /** Whether what let an act through is still there, at the act itself. */
  holds(chat: ChatInfo, decision: StandingDecision, ...kinds: StandingKind[]): boolean;
  /** How many were given in this run. */
  readonly given: number;
  /** What `list` tells of the chat. */
  describe(
    chat: ChatInfo,
    kind: StandingKind,
  ): { by: string; at: string; until?: string; left?: number } | undefined;
}

/** Text messages, files. A message with a file is both. */
export type StandingKind = "messages" | "files";

/** All that the tools of one agent share. */
export interface AgentDeps {
  /** Nothing goes out through it while the agent is paused. */
  core: Core;
  user: User;
  clock: Clock;
  actions: Actions;
  pause: Pick<Pause, "check" | "current">;
  watch: ChatItemsWatch;
  claims: Claims;
  links: OwnLinks;
  connections: Connections;
  /** Chats that are being left. */
  leaving: Map<ChatRef, Promise<void>>;
  /** What follows results that were returned; the stop waits for it. */
  background: Background;
  standing: StandingApprovals;
  /** Numbers of chats that were deleted: SimpleX gives them to others. */
  freed: { has(chat: ChatInfo): boolean; add(chat: ChatInfo): Promise<void> };
  viewer: Viewer;
  files: AgentFiles;
  /** The most characters that the picture of this action's card may have; none or less: there is no room for one. */
  pictureRoom(fields: ActionFields): number;
  /** Tells the owners something. Rejects with `ActionRefused` where that cannot be. */
  report(text: string): Promise<void>;
  /** Tells the owners of a file that the agent may not send; `why` is a clause about it. */
  tellRefused(chat: NamedChat, path: string, why: string): void;
  /** Never shown to the agent, never reachable for it. */
  controlChat: ChatRef;
  mode: ApprovalMode;
  /** Answer `pending` after so many milliseconds without a decision; 0: hold until it is decided. */
  holdMs: number;
  log: (line: string) => void;
}
