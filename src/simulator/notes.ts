import type { CoreJson } from "../core/api/chat-api.js";
import type { Composed } from "./composed.js";
import { commandError } from "./errors.js";
import { aChatItem } from "./item-json.js";
import { addItem, setMessage } from "./items.js";
import type { Chat } from "./refs.js";
import type { User } from "./user.js";

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
