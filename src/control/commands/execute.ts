import type { ActionFields } from "../../actions/action.js";
import type { Actions } from "../../actions/actions.js";
import type { GroupMember } from "../../core/types.js";
import { describeChat, isUnusedPreset } from "../../messages/chats.js";
import { isWaiting } from "../../messages/waiting.js";
import { formatTime } from "../../text/format.js";
import type { BytesTooLong } from "../texts/cards.js";
import { chatList, helpText, pendingList } from "../texts/lists.js";
import { withReferences } from "../texts/names.js";
import { pauseTexts, refusals } from "../texts/replies.js";
import type { OwnerCommand } from "./commands.js";
import { answer } from "./execute-answer.js";
import { edit } from "./execute-edit.js";
import { forward, receive, receiveAll, receiveOff } from "./execute-files.js";
import { deleteFiles, leave } from "./execute-leaving.js";
import { address, invite, inviteOff, requests } from "./execute-meeting.js";
import { pause, resume } from "./execute-pause.js";
import { approveAll, revoke } from "./execute-standing.js";
import { type OwnerPowers, replyTo } from "./powers.js";

/** Does what an owner says; resolves with the replies, mostly one or none. */
export async function execute(
  command: OwnerCommand,
  by: GroupMember,
  powers: OwnerPowers,
): Promise<readonly string[]> {
  if (command.kind === "leave") return await leave(command, by.memberProfile.displayName, powers);
  const reply = await replyOf(command, by, powers);
  return reply === undefined ? [] : [reply];
}

async function replyOf(
  command: Exclude<OwnerCommand, { kind: "leave" }>,
  by: GroupMember,
  powers: OwnerPowers,
): Promise<string | undefined> {
  const { actions } = powers;
  const name = by.memberProfile.displayName;
  switch (command.kind) {
    case "approve": {
      const fields = pendingFields(actions, command.number);
      if (fields?.tool === "download") return refusals.wrongKind(command.number, fields);
      return replyTo(command.number, actions.approve(command.number, name, command.chat));
    }
    case "reject":
      return replyTo(command.number, actions.reject(command.number, name, command.chat, command.reason));
    case "approveAll":
      return await approveAll(command, by, powers);
    case "revoke":
      return await revoke(command.chat, powers);
    case "receive":
      return receive(command, name, powers);
    case "receiveAll":
      return await receiveAll(command, by, powers);
    case "receiveOff":
      return await receiveOff(command.chat, powers);
    case "forward":
      return forward(command, powers);
    case "deleteFiles":
      return await deleteFiles(command, powers);
    case "address":
      return await address(command, name, powers);
    case "invite":
      return await invite(powers);
    case "inviteOff":
      return await inviteOff(powers);
    case "requests":
      return await requests(powers);
    case "edit":
      return edit(command, name, powers);
    case "answer":
      return answer(command, name, powers);
    case "pause":
      return await pause(name, powers);
    case "resume":
      return await resume(name, powers);
    case "pending":
      return pendingList(
        actions.pending().map((one) => ({ ...one, fields: withReferences(one.fields, powers.names) })),
        powers.clock.now(),
        powers.bytesTooLong,
      );
    case "list":
      return await list(powers);
    case "help":
      return helpText;
  }
}

function pendingFields(actions: Actions, number: number): ActionFields | undefined {
  return actions.pending().find((action) => action.number === number)?.fields;
}

/** A line above a list, while nothing goes out. */
function pausedHead({ pause: { current }, clock }: OwnerPowers): string {
  if (!current) return "";
  return `${pauseTexts.since(current.by, formatTime(Date.parse(current.at), clock.now()))}\n`;
}

async function list(powers: OwnerPowers): Promise<string> {
  const { core, user, standing, controlChat, bytesTooLong, clock } = powers;
  const chats = await core.getChats(user.userId);
  const entries = chats.flatMap((chat) => {
    const { chatInfo: info, chatStats } = chat;
    const named = describeChat(info);
    if (!named || named.chat === controlChat || isUnusedPreset(chat) || isWaiting(info)) return [];
    const messages = standing.current(info, "messages");
    const files = standing.current(info, "files");
    return [
      {
        ...named,
        unread: chatStats.unreadCount,
        ...(messages ? { messagesApproved: messages } : {}),
        ...(files ? { filesApproved: files } : {}),
      },
    ];
  });
  const unreadable = chats.filter(
    ({ chatInfo: info }) => info.type === "unreadable" && info.chat !== controlChat,
  );
  const head = pausedHead(powers);
  const fits: BytesTooLong = (text, isEdit) => bytesTooLong(head + text, isEdit);
  return head + chatList(entries, clock.now(), fits, unreadable.length);
}
