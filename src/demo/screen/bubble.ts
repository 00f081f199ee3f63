import type { AChatItem } from "../../core/types.js";

/** What the phone shows of one item of the control chat. */
export type Bubble = MessageBubble | { readonly kind: "notice"; readonly text: string };

export interface MessageBubble {
  readonly kind: "message";
  readonly author: string;
  /** Written by the owner whose phone this is. */
  readonly own: boolean;
  readonly text: string;
  /** When it was written, milliseconds since 1970. */
  readonly time: number;
  /** It was shown before with another text. */
  readonly edited: boolean;
  readonly file?: { readonly name: string; readonly size: number };
}

/** Events of a group that the app shows as a line between the messages. */
const NOTICES: ReadonlySet<string> = new Set(["rcvGroupEvent", "sndGroupEvent"]);

/** The bubble of an item; undefined for what the app does not show, or shows small and out of the way. */
export function bubbleOf({ chatInfo, chatItem }: AChatItem): Bubble | undefined {
  const { chatDir, content, meta, file } = chatItem;
  if (!("msgContent" in content)) {
    if (!NOTICES.has(content.type === "unknown" ? content.tag : content.type)) return undefined;
    const who = chatDir.type === "groupRcv" ? `${chatDir.groupMember.memberProfile.displayName} ` : "";
    return { kind: "notice", text: who + meta.itemText };
  }
  const own = chatDir.type === "groupSnd";
  return {
    kind: "message",
    author: authorOf({ chatInfo, chatItem }),
    own,
    text: meta.itemDeleted ? "deleted" : content.msgContent.text,
    time: Date.parse(meta.itemTs),
    edited: meta.itemEdited,
    ...(file && { file: { name: file.fileName, size: file.fileSize } }),
  };
}

function authorOf({ chatInfo, chatItem: { chatDir } }: AChatItem): string {
  if (chatDir.type === "groupRcv") return chatDir.groupMember.memberProfile.displayName;
  return chatInfo.type === "group" ? chatInfo.groupInfo.membership.memberProfile.displayName : "";
}
