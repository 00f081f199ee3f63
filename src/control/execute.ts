import type { ActionFields, ChatRef, NamedChat } from "../actions/action.js";
import type { Actions, DecisionResult } from "../actions/actions.js";
import type { Clock } from "../clock.js";
import type { Core } from "../core/core.js";
import { isChatNotFound } from "../core/errors.js";
import { explain } from "../core/explain.js";
import type { ChatInfo, GroupMember, User } from "../core/types.js";
import { describeChat } from "../messages/chats.js";
import type { BytesTooLong } from "./cards.js";
import type { OwnerCommand } from "./commands.js";
import { chatList, helpText, pendingList } from "./lists.js";
import { leaveTexts, refusals, standingTexts } from "./replies.js";
import type { StandingApprovals } from "./standing-approvals.js";

/** What owner commands act on. */
export interface OwnerPowers {
  core: Core;
  user: User;
  clock: Clock;
  actions: Actions;
  standing: StandingApprovals;
  controlChat: ChatRef;
  mode: "requests" | "host";
  bytesTooLong: BytesTooLong;
  /** Leaves or deletes the chat; rejects when it could not. */
  leave: (chat: ChatRef) => Promise<void>;
  /** A line for the person at the terminal. */
  print: (line: string) => void;
}

/** Does what an owner says; resolves with the reply, if there is one. */
export async function execute(
  command: OwnerCommand,
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
      return await approveAll(command.chat, by, powers);
    case "revoke":
      return await revoke(command.chat, powers);
    case "receive":
    case "receiveAll":
    case "forward": {
      const fields = pendingFields(actions, command.number);
      return fields ? refusals.wrongKind(command.number, fields) : refusals.notPending(command.number);
    }
    case "receiveOff":
    case "deleteFiles":
      return (await chatInfo(powers, command.chat))
        ? refusals.unknownCommand
        : refusals.unknownChat(command.chat);
    case "leave":
      return await leave(command.chat, name, powers);
    case "pending":
      return pendingList(actions.pending(), powers.clock.now(), powers.bytesTooLong);
    case "list":
      return await list(powers);
    case "help":
      return helpText;
  }
}

function pendingFields(actions: Actions, number: number): ActionFields | undefined {
  return actions.pending().find((action) => action.number === number)?.fields;
}

/** No reply on success: the card changes. */
function replyTo(number: number, result: DecisionResult): string | undefined {
  if (result === "done") return undefined;
  if (result === "not pending") return refusals.notPending(number);
  return refusals.otherChat(number, result.wrongChat.fields);
}

async function approveAll(chat: ChatRef, by: GroupMember, powers: OwnerPowers): Promise<string | undefined> {
  if (powers.mode === "host") return refusals.hostMode;
  const info = await chatInfo(powers, chat);
  const named = info && describeChat(info);
  if (!info || !named) return refusals.unknownChat(chat);
  await powers.standing.give(info, "messages", by);
  for (const action of powers.actions.pending()) {
    const plainText = action.fields.tool === "send" && action.fields.file === undefined;
    if (action.chat === chat && plainText)
      powers.actions.approve(action.number, by.memberProfile.displayName);
  }
  return standingTexts.messagesApproved(named, by.memberProfile.displayName);
}

async function revoke(chat: ChatRef, powers: OwnerPowers): Promise<string> {
  const info = await chatInfo(powers, chat);
  const named = info && describeChat(info);
  if (!info || !named) return refusals.unknownChat(chat);
  await powers.standing.end(info, "messages");
  return standingTexts.messagesEnded(named);
}

async function leave(chat: ChatRef, by: string, powers: OwnerPowers): Promise<string> {
  const info = await chatInfo(powers, chat);
  const named: NamedChat | undefined = info && describeChat(info);
  if (!named) return refusals.unknownChat(chat);
  try {
    await powers.leave(chat);
  } catch (error) {
    return leaveTexts.notLeft(named, explain(error));
  }
  const text = leaveTexts.left(named, by);
  powers.print(text);
  for (const action of powers.actions.pending()) {
    if (action.chat === chat) powers.actions.reject(action.number, by, chat, "The owner left this chat.");
  }
  return text;
}

async function list({ core, user, standing, controlChat, bytesTooLong }: OwnerPowers): Promise<string> {
  const chats = await core.getChats(user.userId);
  const entries = chats.flatMap(({ chatInfo: info, chatStats }) => {
    const named = describeChat(info);
    if (!named || named.chat === controlChat) return [];
    const messages = standing.current(info, "messages");
    const files = standing.current(info, "files");
    return [
      {
        ...named,
        unread: chatStats.unreadCount,
        ...(messages ? { messagesApprovedBy: messages.by } : {}),
        ...(files ? { filesApprovedBy: files.by } : {}),
      },
    ];
  });
  return chatList(entries, bytesTooLong);
}

/** The chat, where the agent has it; the control chat is none that owners dispose of here. */
async function chatInfo({ core, controlChat }: OwnerPowers, chat: ChatRef): Promise<ChatInfo | undefined> {
  if (chat === controlChat) return undefined;
  try {
    return (await core.getChat(chat, { count: 0 })).chat.chatInfo;
  } catch (error) {
    if (isChatNotFound(error)) return undefined;
    throw error;
  }
}
