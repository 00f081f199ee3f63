import type { CoreJson } from "../../core/api/chat-api.js";
import type { Composed } from "../data/composed.js";
import { commandError } from "../data/errors.js";
import { addItem, setMessage } from "../items/items.js";
import { aChatItem } from "../json/item-json.js";
import type { Chat } from "../user/refs.js";
import type { User } from "../user/user.js";

/** `/_create *1`: items of the notes folder. */
export function addNotes(user: User, chat: Chat, composed: readonly Composed[]): CoreJson {
  if (composed.some(({ file }) => file)) throw commandError("files in notes are not simulated");
  const status = { type: "sndSent", sndProgress: "complete" };
  const items = composed.map(({ content }) =>
    addItem(user, { chat: chat.key, sent: true, ...setMessage("sndMsgContent", content), status }),
  );
  const view = { now: user.now() };
  return user.answer("newChatItems", { chatItems: items.map((item) => aChatItem(user.db, item, view)) });
}
