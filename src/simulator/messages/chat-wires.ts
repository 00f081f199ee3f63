import type { ChatWire } from "../data/wire.js";
import type { User } from "../user/user.js";
import { onDelete } from "./deletions.js";
import { onUpdate } from "./edits.js";
import { onFileCancel, onFileDescr } from "./file-messages.js";
import { onMessage, type Source } from "./incoming.js";
import { onReaction } from "./reactions.js";

/** A message, or something about one. */
export function onChatWire(user: User, source: Source, wire: ChatWire): void {
  switch (wire.kind) {
    case "message":
      onMessage(user, source, wire);
      return;
    case "update":
      return onUpdate(user, source, wire);
    case "delete":
      return onDelete(user, source, wire);
    case "reaction":
      return onReaction(user, source, wire);
    case "fileDescr":
      return onFileDescr(user, source, wire);
    case "fileCancel":
      return onFileCancel(user, source, wire);
  }
}
