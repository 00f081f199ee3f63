/** What owners say about files. */
import type { ChatRef, DownloadFields } from "../../actions/action.js";
import type { Action } from "../../actions/actions.js";
import type { GroupMember } from "../../core/types.js";
import { describeChat } from "../../messages/chats.js";
import type { Limit } from "../standing/limit.js";
import { refusals, standingTexts } from "../texts/replies.js";
import { chatInfo, type OwnerPowers, replyTo } from "./powers.js";

/** A download that a command names: `/receive #15 12`. */
interface NamedDownload {
  chat: ChatRef;
  number: number;
}

export function receive(
  { chat, number }: NamedDownload,
  by: string,
  powers: OwnerPowers,
): string | undefined {
  const found = pendingDownload({ chat, number }, powers);
  return typeof found === "string" ? found : replyTo(number, powers.actions.approve(number, by, chat));
}

/** Lets this download through, and later ones of the chat; other pending ones keep their cards. */
export async function receiveAll(
  { chat, number, limit }: NamedDownload & { limit?: Limit },
  by: GroupMember,
  powers: OwnerPowers,
): Promise<string | undefined> {
  if (powers.mode === "host") return refusals.hostMode;
  const found = pendingDownload({ chat, number }, powers);
  if (typeof found === "string") return found;
  if (found.fields.unknownServers.length > 0) return refusals.unknownServers(number, found.fields);
  const info = await chatInfo(powers, chat);
  const named = info && describeChat(info);
  if (!info || !named) return refusals.unknownChat(chat);
  const { displayName } = by.memberProfile;
  const end = await powers.standing.give(info, "files", by, limit);
  // It is the first of those that are counted.
  await powers.standing.take(info, "files");
  powers.actions.approve(number, displayName, chat);
  return standingTexts.downloadsApproved(named, displayName, end, powers.clock.now());
}

export async function receiveOff(chat: ChatRef, powers: OwnerPowers): Promise<string> {
  const info = await chatInfo(powers, chat);
  const named = info && describeChat(info);
  if (!info || !named) return refusals.unknownChat(chat);
  await powers.standing.end(info, "files");
  return standingTexts.downloadsEnded(named);
}

export function forward(command: NamedDownload, powers: OwnerPowers): string | undefined {
  const found = pendingDownload(command, powers);
  if (typeof found === "string") return found;
  powers.files.forward(found.action, found.fields);
  return undefined;
}

/** The action with its fields, or why the command does not fit it. */
function pendingDownload(
  { chat, number }: NamedDownload,
  { actions }: OwnerPowers,
): { action: Action; fields: DownloadFields } | string {
  const action = actions.pending().find((one) => one.number === number);
  if (!action) return refusals.notPending(number);
  const { fields } = action;
  if (fields.tool !== "download") return refusals.wrongKind(number, fields);
  return fields.chat === chat ? { action, fields } : refusals.otherChat(number, fields);
}
