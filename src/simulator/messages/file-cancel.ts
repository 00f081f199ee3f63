import type { CoreJson } from "../../core/api/chat-api.js";
import { chatId } from "../data/chat-key.js";
import { chatError, storeError } from "../data/errors.js";
import type { FileRow, Receiving, Sending } from "../data/file-rows.js";
import type { ItemRow } from "../data/item-rows.js";
import type { Json } from "../data/rows.js";
import { takeBack } from "../files/downloads.js";
import { sndCancelled } from "../files/uploads.js";
import { rcvTransfer, sndTransfers, transferMeta } from "../json/file-json.js";
import { aChatItem } from "../json/item-json.js";
import { type Chat, findChat } from "../user/refs.js";
import type { User } from "../user/user.js";
import { deliver } from "./edits.js";

/** `/fcancel` */
export function cancelFile(user: User, fileId: number): CoreJson {
  const row = user.db.files.get(fileId);
  if (!row) throw storeError("userNotFoundByFileId", { fileId });
  const item = user.db.items.at(row.itemId);
  if (row.sending) return cancelUpload(user, item, row, row.sending);
  if (row.receiving) return cancelDownload(user, item, row, row.receiving);
  throw storeError("fileNotFound", { fileId });
}

const refused = (fileId: number, message: string) => chatError("fileCancel", { fileId, message });
const CANCELLED = "file already cancelled";

const shown = (user: User, item: ItemRow): Json => aChatItem(user.db, item, { now: user.now() });

function chatOf(user: User, { chat, scope }: ItemRow): Chat {
  const kind = chat.startsWith("#") ? "#" : "@";
  return findChat(user, { kind, id: chatId(chat), ...(scope !== undefined && { support: scope }) });
}

/** Also after the upload, which the servers then forget. */
function cancelUpload(user: User, item: ItemRow, row: FileRow, sending: Sending): CoreJson {
  if (sending.cancelled) throw refused(row.fileId, CANCELLED);
  const fileTransferMeta = transferMeta(row, sending);
  const sndFileTransfers = sndTransfers(row, sending);
  sndCancelled(user, row);
  deliver(user, chatOf(user, item), [{ kind: "fileCancel", sharedMsgId: item.sharedMsgId ?? "" }]);
  return user.answer("sndFileCancelled", {
    chatItem_: shown(user, item),
    fileTransferMeta,
    sndFileTransfers,
  });
}

function cancelDownload(user: User, item: ItemRow, row: FileRow, receiving: Receiving): CoreJson {
  if (receiving.state === "cancelled" || row.status.type === "rcvError") throw refused(row.fileId, CANCELLED);
  if (receiving.state === "complete") throw refused(row.fileId, "file transfer is complete");
  const rcvFileTransfer = rcvTransfer(user.db, row, receiving);
  takeBack(user, row, receiving);
  return user.answer("rcvFileCancelled", { chatItem_: shown(user, item), rcvFileTransfer });
}
