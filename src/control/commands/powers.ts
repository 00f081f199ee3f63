import type { ChatRef, DownloadFields } from "../../actions/action.js";
import type { Action, Actions, DecisionResult } from "../../actions/actions.js";
import type { Pause } from "../../actions/pause.js";
import type { Core } from "../../core/core.js";
import { isChatNotFound } from "../../core/errors/errors.js";
import { type ChatInfo, ownContact, type User } from "../../core/types.js";
import type { FolderContent } from "../../files/disk/disk.js";
import type { HeldAddress } from "../../incoming/held-address.js";
import type { Incoming } from "../../incoming/incoming.js";
import type { OwnLinks } from "../../incoming/links.js";
import { isWaiting } from "../../messages/waiting.js";
import type { Clock } from "../../time/clock.js";
import type { FreedNumbers } from "../standing/freed-numbers.js";
import type { StandingApprovals } from "../standing/standing-approvals.js";
import type { BytesTooLong } from "../texts/cards.js";
import type { Names } from "../texts/names.js";
import { pauseTexts, refusals } from "../texts/replies.js";

/** What owner commands act on. */
export interface OwnerPowers {
  core: Core;
  user: User;
  clock: Clock;
  actions: Actions;
  pause: Pause;
  standing: StandingApprovals;
  /** Whether another chat had that number before. */
  freed: Pick<FreedNumbers, "has">;
  /** Links to the agent, and those who ask to be let in. */
  links: OwnLinks;
  heldAddress: HeldAddress;
  incoming: Incoming;
  /** Which chats have names that look like another's. */
  names: Names;
  controlChat: ChatRef;
  mode: "requests" | "host";
  bytesTooLong: BytesTooLong;
  /** Leaves or deletes the chat, and rejects what is pending for it; rejects when it could not. */
  leave: (chat: ChatRef, by: string) => Promise<void>;
  files: {
    /** What is kept of the chat for the agent. */
    kept(chat: ChatRef): Promise<FolderContent & { folder: string }>;
    /** Ends the downloads of the chat, deletes its files, and tells what there was. */
    delete(chat: ChatRef): Promise<FolderContent>;
    /** Shows the offered file here, some time later. */
    forward(action: Action, fields: DownloadFields): void;
  };
  /** A line for the person at the terminal. */
  print: (line: string) => void;
}

/** No reply on success: the card changes. */
export function replyTo(number: number, result: DecisionResult): string | undefined {
  if (result === "done") return undefined;
  if (result === "not pending") return refusals.notPending(number);
  if (typeof result === "object" && "wrongKind" in result)
    return refusals.wrongKind(number, result.wrongKind.fields);
  if (result === "paused") return pauseTexts.paused;
  return refusals.otherChat(number, result.wrongChat.fields);
}

/** The chat, where the agent has it; the control chat is none that owners dispose of here. */
export async function chatInfo(
  { core, user, controlChat }: OwnerPowers,
  chat: ChatRef,
): Promise<ChatInfo | undefined> {
  if (chat === controlChat || chat === ownContact(user)) return undefined;
  try {
    const info = (await core.getChat(chat, { count: 0 })).chat.chatInfo;
    return isWaiting(info) ? undefined : info;
  } catch (error) {
    if (isChatNotFound(error)) return undefined;
    throw error;
  }
}
