import { isGroupLinkNotFound } from "../../core/errors/errors.js";
import type { ControlChat } from "../chat/chat.js";

/** The link to the control chat. It is a secret: whoever uses it first becomes the owner. */
export class OwnerLink {
  readonly #chat: ControlChat;
  #isOpen = false;

  constructor(chat: ControlChat) {
    this.#chat = chat;
  }

  /** Made in this run, and used by nobody yet. Who uses it at the same moment as the first still gets in. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  async open(role: "member" | "observer"): Promise<string> {
    const { core, groupId } = this.#chat;
    const { connLinkContact } = await core.createGroupLink(groupId, role);
    this.#isOpen = true;
    return connLinkContact.connShortLink ?? connLinkContact.connFullLink;
  }

  /** Deletes it, and one of an earlier run. */
  async close(): Promise<void> {
    const { core, groupId } = this.#chat;
    this.#isOpen = false;
    try {
      await core.deleteGroupLink(groupId);
    } catch (error) {
      if (!isGroupLinkNotFound(error)) throw error;
    }
  }
}
