import type { Decision } from "../actions/action.js";
import type { Actions } from "../actions/actions.js";
import type { Clock } from "../clock.js";
import type { Core } from "../core/core.js";
import type { ChatInfo, ChatRef, User } from "../core/types.js";
import type { Claims } from "../messages/unread.js";
import type { Viewer } from "../messages/view.js";
import type { ChatItemsWatch } from "../messages/watch.js";
import type { Connections } from "./connections.js";
import type { ChatFiles } from "./leave.js";

export type ApprovalMode = "requests" | "host";

/** Standing approvals, as the tools need them. */
export interface StandingApprovals {
  /** What lets a text message to this chat through now; undefined when each one needs its own approval. */
  forMessages(chat: ChatInfo): Decision | undefined;
  /** What `list` tells of the chat. */
  describe(chat: ChatInfo): { by: string; at: string } | undefined;
}

/** All that the tools of one agent share. */
export interface AgentDeps {
  core: Core;
  user: User;
  clock: Clock;
  actions: Actions;
  watch: ChatItemsWatch;
  claims: Claims;
  connections: Connections;
  standing: StandingApprovals;
  viewer: Viewer;
  files: ChatFiles;
  /** Never shown to the agent, never reachable for it. */
  controlChat: ChatRef;
  mode: ApprovalMode;
  /** Answer `pending` after so many milliseconds without a decision; 0: hold until it is decided. */
  holdMs: number;
  log: (line: string) => void;
}
