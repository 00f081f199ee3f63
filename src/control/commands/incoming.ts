import type { AChatItem, ChatEvent, ChatRef, GroupMember } from "../../core/types.js";
import { lookAlike } from "../../text/look-alike.js";
import { type ParsedCommand, parseOwnerCommand } from "./commands.js";

/** Why what a message says does not count. */
export type Flaw = "link" | "caption" | "edited" | "live" | "forwarded" | "passedOn" | "support";

/** What a member wrote in the control chat. Without a flaw it is a new text message in the chat itself. */
export interface Incoming {
  member: GroupMember;
  text: string;
  /** Its item: later messages have larger ones. */
  item: number;
  flaw?: Flaw;
  /** The item of the control chat that it replies to. */
  replyTo?: number;
  /** By this the message is told from every other, and from its earlier versions. */
  version: string;
}

/** What the members wrote, of an event. What is still being typed, or was deleted, is nothing yet, or any more. */
export function incomingOf(event: ChatEvent, controlChat: ChatRef): Incoming[] {
  if (event.type === "newChatItems") {
    return event.chatItems.flatMap((item) => incomingItem(item, controlChat, (one) => flawOf(one)) ?? []);
  }
  if (event.type !== "chatItemUpdated") return [];
  // Of an item with a file, the file's state alone may have changed.
  const flaw = ({ meta, file }: AChatItem["chatItem"]): Flaw | null | undefined =>
    meta.itemEdited ? "edited" : file ? null : "live";
  const incoming = incomingItem(event.chatItem, controlChat, flaw);
  return incoming ? [incoming] : [];
}

/**
 * The message of an item; none where `flawOf` says null. Only what came from its author as a new text message in the
 * control chat itself counts: not edited, live, forwarded or under a picture, nor in a support chat, nor passed on.
 */
function incomingItem(
  { chatInfo, chatItem }: AChatItem,
  controlChat: ChatRef,
  flawOf: (item: AChatItem["chatItem"]) => Flaw | null | undefined,
): Incoming | undefined {
  const { chatDir, content, meta } = chatItem;
  if (chatInfo.type !== "group" || `#${chatInfo.groupInfo.groupId}` !== controlChat) return undefined;
  if (chatDir.type !== "groupRcv" || content.type !== "rcvMsgContent") return undefined;
  if (meta.itemLive || meta.itemDeleted) return undefined;
  const flaw = chatInfo.groupChatScope ? "support" : flawOf(chatItem);
  if (flaw === null) return undefined;
  const { text } = content.msgContent;
  return {
    member: chatDir.groupMember,
    text,
    item: meta.itemId,
    ...(flaw === undefined ? {} : { flaw }),
    ...(chatItem.quotedItem?.itemId === undefined ? {} : { replyTo: chatItem.quotedItem.itemId }),
    version: JSON.stringify([meta.itemId, text]),
  };
}

function flawOf({ content, meta }: AChatItem["chatItem"]): Flaw | undefined {
  if (meta.forwardedByMember !== undefined) return "passedOn";
  if (meta.itemForwarded) return "forwarded";
  if (meta.itemEdited) return "edited";
  const type = "msgContent" in content ? content.msgContent.type : "text";
  if (type === "text") return undefined;
  return type === "link" ? "link" : "caption";
}

/** What a message says: a command that counts, one that does not and why, or nothing. */
export type Said =
  | { counts: true; command: ParsedCommand }
  | { counts: false; why: Flaw | "hidden" }
  | undefined;

/** A message that is meant as a command is one that counts, or is told why it does not. */
export function readIncoming({ text, flaw }: Incoming): Said {
  const command = parseOwnerCommand(text);
  if (flaw === undefined && command) return { counts: true, command };
  // The apps make a message of its own kind of a text with a link. To refuse is always safe, and an answer acts on nothing.
  if (flaw === "link" && (command?.kind === "reject" || command?.kind === "answer"))
    return { counts: true, command };
  const meant = command ?? parseOwnerCommand(asMeant(text));
  if (!meant || meant.kind === "unknown") return undefined;
  return { counts: false, why: flaw ?? "hidden" };
}

/** A command as it was meant: without what nobody sees, and with the slash of commands. */
function asMeant(text: string): string {
  const seen = text.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]|(?!\n)\p{Cc}/gu, "").trim();
  const [first = ""] = seen;
  return lookAlike(first.normalize("NFKC"), "/") ? `/${seen.slice(first.length)}` : seen;
}
