/** What owners say about leaving chats, and about what is left of them. */
import { createHash } from "node:crypto";
import type { ChatRef, NamedChat } from "../../actions/action.js";
import { explain } from "../../core/errors/explain.js";
import type { ChatInfo } from "../../core/types.js";
import { describeChat } from "../../messages/chats.js";
import { leaveTexts, refusals } from "../texts/replies.js";
import { chatInfo, type OwnerPowers } from "./powers.js";

/** A command about a chat, with the word by which it is meant for the chat that has the number now. */
export interface AboutChat {
  chat: ChatRef;
  code?: string;
}

export async function leave({ chat, code }: AboutChat, by: string, powers: OwnerPowers): Promise<string[]> {
  const info = await chatInfo(powers, chat);
  const named = info && describeChat(info);
  if (!info || !named) return [refusals.unknownChat(chat)];
  if (powers.freed.has(info) && code !== codeOf(info)) return [leaveTexts.leaveWhich(named, codeOf(info))];
  try {
    await powers.leave(chat, by);
  } catch (error) {
    return [leaveTexts.notLeft(named, explain(error))];
  }
  const text = leaveTexts.left(named, by);
  powers.print(text);
  // Left all the same when they cannot be counted.
  const kept = await filesKept(named, powers.files).catch(() => undefined);
  return kept === undefined ? [text] : [text, kept];
}

/** Of a chat that the agent has, or had. */
export async function deleteFiles({ chat, code }: AboutChat, powers: OwnerPowers): Promise<string> {
  if (chat === powers.controlChat) return refusals.unknownChat(chat);
  try {
    const info = await chatInfo(powers, chat);
    const named = info && describeChat(info);
    // Of a number that nobody has, what is left is the old chat's.
    if (info && named && powers.freed.has(info) && code !== codeOf(info))
      return leaveTexts.deleteWhich(named, codeOf(info));
    const { files, bytes } = await powers.files.delete(chat);
    return files > 0 || named ? leaveTexts.filesDeleted(chat, files, bytes) : refusals.unknownChat(chat);
  } catch (error) {
    return leaveTexts.filesNotDeleted(chat, explain(error));
  }
}

/** What is told after a chat was left: where its files are, if there are any. */
export async function filesKept(
  named: NamedChat,
  store: Pick<OwnerPowers["files"], "kept">,
): Promise<string | undefined> {
  const { folder, files, bytes } = await store.kept(named.chat);
  return files > 0 ? leaveTexts.filesKept(named, folder, files, bytes) : undefined;
}

/** Five letters that tell this chat from others that had its number, or will have it. */
function codeOf(info: ChatInfo): string {
  const chat = info.type === "direct" ? info.contact : info.type === "group" ? info.groupInfo : undefined;
  const digest = createHash("sha256").update(`${info.type} ${chat?.createdAt}`).digest();
  return [...digest.subarray(0, 5)].map((byte) => String.fromCharCode(0x61 + (byte % 26))).join("");
}
