import type { ChatRef } from "../core/types.js";
import type { ChatKind } from "../messages/chats.js";

export type { ChatKind, ChatRef };

/** The chat an action is about, as the card names it. `name` is unfiltered: it comes from the other side. */
export interface NamedChat {
  chat: ChatRef;
  kind: ChatKind;
  name: string;
  /** Another chat has a name that looks like this one: the reference stands behind it. Set when a text is made. */
  lookAlike?: boolean;
}

export interface ConnectFields {
  tool: "connect";
  target: string;
  incognito: boolean;
  message?: string;
  kind: ChatKind;
  name: string;
}

export interface SendFields extends NamedChat {
  tool: "send";
  /** Another chat had its number before: an approval of the chat names the action, too. */
  renumbered?: true;
  /** The exact text that is sent; empty only with a file. */
  text: string;
  /** The quoted message: its item id, its author, whose member id is known in groups only, its text. */
  replyTo?: { item: number; member?: number; own?: boolean; name: string; text: string };
  /** `namesake`: another member of the group has a name that looks like it. */
  mentions: { member: number; name: string; namesake?: boolean }[];
  file?: SentFile;
}

export interface SentFile {
  path: string;
  /** The name that it goes out by, where that is not the path's. */
  name?: string;
  size: number;
  type: "image" | "video" | "voice" | "file";
  preview?: string;
  /** How much of the file the preview shows, where that is not all. */
  shown?: "first frame" | "not";
}

export interface DownloadFields extends NamedChat {
  tool: "download";
  item: number;
  member: string;
  file: { name: string; size: number; preview?: string };
  /** Hosts of servers that the agent's list lacks; empty when all are known. */
  unknownServers: string[];
}

export interface LeaveFields extends NamedChat {
  tool: "leave";
}

/** A link by which others find the agent. */
export interface InviteFields {
  tool: "invite";
  kind: "one-time" | "address";
  purpose?: string;
}

/** A person asks to connect, by the agent's address. Until then `chat` is none of the agent's. */
export interface RequestFields extends NamedChat {
  tool: "request";
  message?: string;
  /** Characters at the end of the message that the card has no room for. */
  notShown?: number;
}

/** A contact invites the agent into a group. */
export interface InvitationFields {
  tool: "invitation";
  chat: ChatRef;
  group: NamedChat;
  by: NamedChat;
  /** As the inviting app says it. */
  role: string;
}

/** A member of a group asks to connect. */
export interface MemberFields {
  tool: "member";
  chat: ChatRef;
  name: string;
  lookAlike?: boolean;
  group: NamedChat;
}

/** A question to the owners. It is answered, never performed. */
export interface AskFields {
  tool: "ask";
  question: string;
  /** Answers to choose from; none where it is open. */
  choices: string[];
}

/** What the agent asks for. */
export type AgentFields =
  | AskFields
  | ConnectFields
  | SendFields
  | DownloadFields
  | LeaveFields
  | InviteFields;

/** What others ask of the agent. */
export type IncomingFields = RequestFields | InvitationFields | MemberFields;

export type ActionFields = AgentFields | IncomingFields;

export type ToolName = ActionFields["tool"];

/** What is left of a standing approval that ends: until when, in milliseconds since 1970, or how many more acts. */
export interface Remainder {
  until?: number;
  left?: number;
}

export interface StandingDecision extends Remainder {
  kind: "standing";
  by: string;
  /** By these its approvals are told from later ones. */
  under?: readonly string[];
}

/**
 * By what an action was let through. Names are display names, unfiltered. `changedFrom`: the owner wrote another text,
 * and this is what the card shows of the agent's.
 */
export type Decision =
  | { kind: "approved"; by: string; changedFrom?: string }
  | StandingDecision
  | { kind: "host" };

/**
 * pending -> performing -> done | failed | interrupted; pending -> rejected | expired | cancelled; a question
 * pending -> answered.
 * `performing` at once under a standing approval or in mode `host`.
 */
export type ActionState =
  | { state: "pending" }
  | { state: "performing"; decision: Decision }
  | { state: "done"; decision: Decision }
  | { state: "failed"; decision: Decision; error: string }
  | { state: "interrupted"; decision: Decision }
  | { state: "rejected"; by: string; reason?: string }
  | ({ state: "answered" } & Answer)
  | { state: "expired" }
  | { state: "cancelled" };

/** What an owner says to a question. `by` is a display name, unfiltered. */
export interface Answer {
  by: string;
  answer: string;
  /** Which of the choices it is, from 1 on. */
  choice?: number;
}

/** What happens to an action. */
export type ActionEvent =
  | { event: "decide"; decision: Decision }
  | { event: "reject"; by: string; reason?: string }
  | ({ event: "answer" } & Answer)
  | { event: "expire" }
  | { event: "performed" }
  | { event: "perform failed"; error: string }
  | { event: "stop" };

/** The state after `event`, or undefined when the event comes too late: the first decision wins. */
export function nextState(current: ActionState, event: ActionEvent): ActionState | undefined {
  if (current.state === "pending") {
    switch (event.event) {
      case "decide":
        return { state: "performing", decision: event.decision };
      case "reject":
        return {
          state: "rejected",
          by: event.by,
          ...(event.reason === undefined ? {} : { reason: event.reason }),
        };
      case "answer": {
        const { event: _, ...answer } = event;
        return { state: "answered", ...answer };
      }
      case "expire":
        return { state: "expired" };
      case "stop":
        return { state: "cancelled" };
      default:
        return undefined;
    }
  }
  if (current.state === "performing") {
    const { decision } = current;
    switch (event.event) {
      case "performed":
        return { state: "done", decision };
      case "perform failed":
        return { state: "failed", decision, error: event.error };
      case "stop":
        return { state: "interrupted", decision };
      default:
        return undefined;
    }
  }
  return undefined;
}

/** Decided, and nothing more will be done for it. */
export function isFinal(state: ActionState): boolean {
  return state.state !== "pending" && state.state !== "performing";
}

/** The chat an action is about; none where it is no chat of the agent's yet. */
export function actionChat(fields: ActionFields): ChatRef | undefined {
  return fields.tool === "send" || fields.tool === "download" || fields.tool === "leave"
    ? fields.chat
    : undefined;
}

/** The text of the agent that goes out, as an owner may write it anew; undefined where there is none. */
export function textOf(fields: ActionFields): string | undefined {
  if (fields.tool === "send") return fields.text;
  return fields.tool === "connect" ? fields.message : undefined;
}

/** Others notice it: an owner who paused the agent lets nothing of it through. */
export function isOutward(fields: ActionFields): boolean {
  return fields.tool !== "ask" && !isIncoming(fields);
}

export function isIncoming(fields: ActionFields): fields is IncomingFields {
  return fields.tool === "request" || fields.tool === "invitation" || fields.tool === "member";
}
