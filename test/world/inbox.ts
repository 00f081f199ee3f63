import type { CoreJson } from "../../src/core/api/chat-api.js";
import { type AChatItem, type ChatRef, chatRefOf, readEvent } from "../../src/core/types.js";

/** A message as a person sees it: in its newest version. */
export interface SeenMessage {
  readonly chat: ChatRef;
  readonly item: number;
  /** Display name of the contact or member it came from. */
  readonly from: string;
  text: string;
  edited: boolean;
  deleted: boolean;
  live: boolean;
  /** The text that it quotes. */
  readonly quote: string | undefined;
  /** We are mentioned or quoted in it. */
  readonly mentionsMe: boolean;
  /** Every text that it had, the newest last. */
  readonly versions: string[];
}

/** The messages that came to a user, in the order of their arrival. */
export class Inbox {
  readonly messages: SeenMessage[] = [];

  onEvent(raw: CoreJson): void {
    const event = readEvent(raw);
    switch (event?.type) {
      case "newChatItems":
        for (const item of event.chatItems) this.#see(item);
        break;
      case "chatItemUpdated":
        this.#see(event.chatItem);
        break;
      case "chatItemsDeleted":
        for (const { deletedChatItem } of event.chatItemDeletions) {
          const message = this.#find(deletedChatItem);
          if (message) message.deleted = true;
        }
    }
  }

  #see({ chatInfo, chatItem }: AChatItem): void {
    const chat = chatRefOf(chatInfo);
    const { content, meta, chatDir, quotedItem } = chatItem;
    if (!chat || content.type !== "rcvMsgContent") return;
    const { text } = content.msgContent;
    const seen = this.#find({ chatInfo, chatItem });
    const state = { text, edited: meta.itemEdited, live: meta.itemLive === true };
    if (seen) {
      Object.assign(seen, state);
      if (seen.versions.at(-1) !== text) seen.versions.push(text);
      return;
    }
    const member = chatDir.type === "groupRcv" ? chatDir.groupMember : undefined;
    const contact = chatInfo.type === "direct" ? chatInfo.contact : undefined;
    this.messages.push({
      chat,
      item: meta.itemId,
      from: member?.memberProfile.displayName ?? contact?.profile.displayName ?? "",
      ...state,
      deleted: false,
      quote: quotedItem?.content.text,
      mentionsMe: meta.userMention,
      versions: [text],
    });
  }

  #find({ chatInfo, chatItem }: AChatItem): SeenMessage | undefined {
    const chat = chatRefOf(chatInfo);
    return this.messages.find(
      (message) => message.item === chatItem.meta.itemId && (chat === undefined || message.chat === chat),
    );
  }
}
