import type { CoreJson } from "../../src/core/api/chat-api.js";
import type { Translation } from "./translation.js";

type Fields = Record<string, unknown>;

/** What an event is about, without ids: recorded and simulated events with equal signatures may be the same event. */
export function signature(event: CoreJson, translation?: Translation): string {
  const text = transfer(event) ?? plainSignature(event);
  return translation === undefined ? text : translation.text(text);
}

function plainSignature(event: CoreJson): string {
  const about = Object.entries(event)
    .filter(([key]) => key !== "user")
    .map(([, value]) => subject(value));
  return `${event.type} ${about.filter((part) => part !== "").join(" ")}`;
}

/** An event about a file on its way: the file, and how far it is. */
function transfer({ type, fileTransferMeta, rcvFileTransfer, ...sizes }: CoreJson): string | undefined {
  const name = isFields(fileTransferMeta)
    ? fileTransferMeta.fileName
    : isFields(rcvFileTransfer) && isFields(rcvFileTransfer.fileInvitation)
      ? rcvFileTransfer.fileInvitation.fileName
      : undefined;
  if (name === undefined) return undefined;
  const { sentSize, receivedSize, totalSize } = sizes;
  return `${type} ${name} ${sentSize ?? receivedSize ?? ""}/${totalSize ?? ""}`;
}

/** Whether a simulated event can be the recorded one: of the same chat and member, as far as these are known. */
export function canBe(
  recorded: CoreJson,
  simulated: CoreJson,
  who: string,
  translation: Translation,
): boolean {
  const [from, to] = [parties(recorded), parties(simulated)];
  return (["group", "contact", "memberId"] as const).every((kind) => {
    const known = translation.simulated(kind === "memberId" ? kind : `${who} ${kind}`, from[kind]);
    return known === undefined || known === to[kind];
  });
}

/** Whose connection an event came by: only events of one connection have an order of their own. */
export function source(event: CoreJson): string {
  const { group, contact, memberId } = parties(event);
  return `${group ?? ""} ${contact ?? ""} ${memberId ?? ""}`;
}

/** The chat of an event and the member who caused it. */
function parties(event: CoreJson): Partial<Record<"group" | "contact" | "memberId", unknown>> {
  const { chatItems, chatItem, reaction } = event;
  const reacted = isFields(reaction) && { chatInfo: reaction.chatInfo, chatItem: reaction.chatReaction };
  const item = reacted || (Array.isArray(chatItems) ? chatItems[0] : chatItem);
  const { chatInfo, chatItem: inner } = isFields(item) ? item : { chatInfo: event, chatItem: undefined };
  if (!isFields(chatInfo)) return {};
  const { groupInfo, toGroup, contact, toContact } = chatInfo;
  const group = isFields(groupInfo) ? groupInfo : toGroup;
  const person = isFields(contact) ? contact : toContact;
  const member = isFields(inner) && isFields(inner.chatDir) ? inner.chatDir.groupMember : eventMember(event);
  return {
    ...(isFields(group) && { group: group.groupId }),
    ...(isFields(person) && !isFields(group) && { contact: person.contactId }),
    ...(isFields(member) && { memberId: member.memberId }),
  };
}

function eventMember(event: CoreJson): unknown {
  return event.byMember ?? event.acceptingMember ?? event.hostMember ?? event.toMember ?? event.member;
}

/** As `signature`, for an event that is not quite as recorded. */
export function roughSignature(event: CoreJson): string {
  const file = transfer(event);
  if (file !== undefined) return file;
  const { chatItems, chatItem } = event;
  const items = Array.isArray(chatItems) ? chatItems : chatItem === undefined ? [] : [chatItem];
  return `${event.type} ${items.map((item) => contentType(item)).join(" ")}`;
}

function subject(value: unknown): string {
  if (Array.isArray(value)) return value.map(subject).join(",");
  if (!isFields(value)) return "";
  if (isFields(value.chatItem)) return itemSubject(value.chatItem);
  if (isFields(value.chatReaction)) return reactionSubject(value.chatReaction);
  if (isFields(value.memberProfile)) return `${value.memberProfile.displayName}/${value.memberStatus}`;
  return "";
}

function itemSubject(item: Fields): string {
  const { meta, content } = item;
  if (!isFields(meta) || !isFields(content)) return "";
  const status = isFields(meta.itemStatus)
    ? `${meta.itemStatus.type}${meta.itemStatus.sndProgress ?? ""}`
    : "";
  return `${content.type}:${status}:${meta.itemText}`;
}

function reactionSubject({ chatItem, reaction }: Fields): string {
  const meta = isFields(chatItem) ? chatItem.meta : undefined;
  return `${isFields(meta) ? meta.itemText : ""} ${JSON.stringify(reaction)}`;
}

function contentType(item: unknown): string {
  const content = isFields(item) && isFields(item.chatItem) ? item.chatItem.content : undefined;
  return isFields(content) ? String(content.type) : "";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
