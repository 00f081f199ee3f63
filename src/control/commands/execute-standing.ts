/** What owners say about all messages to a chat at once. */
import type { ChatRef } from "../../actions/action.js";
import type { Action } from "../../actions/actions.js";
import type { GroupMember } from "../../core/types.js";
import { describeChat } from "../../messages/chats.js";
import { type Limit, limitWord } from "../standing/limit.js";
import { refusals, standingTexts } from "../texts/replies.js";
import { chatInfo, type OwnerPowers } from "./powers.js";

/** `/approve CHAT all`, or with a number `/approve CHAT N all`; `limit`: its end, where it has one. */
export interface ApproveAll {
  chat: ChatRef;
  number?: number;
  limit?: Limit;
}

/**
 * Lets messages to the chat through from now on. One of them must be pending; where another chat had the number before,
 * the command must name it: an old card's command is not about this chat.
 */
export async function approveAll(
  { chat, number, limit }: ApproveAll,
  by: GroupMember,
  powers: OwnerPowers,
): Promise<string | undefined> {
  const { actions, standing, freed, mode, clock } = powers;
  if (mode === "host") return refusals.hostMode;
  const info = await chatInfo(powers, chat);
  const named = info && describeChat(info);
  if (!info || !named) return refusals.unknownChat(chat);
  const refusal = number === undefined ? undefined : refusalOf(number, chat, powers);
  if (refusal !== undefined) return refusal;
  const [first] = pendingSends(chat, powers);
  if (!first) return standingTexts.nothingPending(named);
  if (number === undefined && freed.has(info))
    return standingTexts.renumbered(named, first.number, limit && limitWord(limit));
  const { displayName } = by.memberProfile;
  const end = await standing.give(info, "messages", by, limit);
  // What asks at this moment gets its card first, as it asked before.
  await actions.introduced(chat);
  for (const action of pendingSends(chat, powers)) {
    const { fields } = action;
    const kinds =
      fields.tool === "send" && fields.file ? (["messages", "files"] as const) : ["messages" as const];
    // They are the first of those that are counted.
    if (await standing.take(info, ...kinds)) actions.approve(action.number, displayName);
  }
  return standingTexts.messagesApproved(named, displayName, end, clock.now());
}

export async function revoke(chat: ChatRef, powers: OwnerPowers): Promise<string> {
  const info = await chatInfo(powers, chat);
  const named = info && describeChat(info);
  if (!info || !named) return refusals.unknownChat(chat);
  await powers.standing.end(info, "messages");
  return standingTexts.messagesEnded(named);
}

/** Why the action is none by which messages to the chat can be approved. */
function refusalOf(number: number, chat: ChatRef, { actions }: OwnerPowers): string | undefined {
  const action = actions.pending().find((one) => one.number === number);
  if (!action) return refusals.notPending(number);
  if (action.fields.tool !== "send") return refusals.wrongKind(number, action.fields);
  return action.chat === chat ? undefined : refusals.otherChat(number, action.fields);
}

function pendingSends(chat: ChatRef, { actions }: OwnerPowers): Action[] {
  return actions.pending().filter(({ fields }) => fields.tool === "send" && fields.chat === chat);
}
