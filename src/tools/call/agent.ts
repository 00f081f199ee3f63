import type { ActionFields, Decision, NamedChat } from "../../actions/action.js";
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
  /** What lets something of all these kinds through now; undefined when it needs its own approval. */
  decision(chat: ChatInfo, ...kinds: StandingKind[]): Decision | undefined;
  /** How many were given in this run. */
  readonly given: number;
  /** What `list` tells of the chat. */
  describe(chat: ChatInfo, kind: StandingKind): { by: string; at: string } | undefined;
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
