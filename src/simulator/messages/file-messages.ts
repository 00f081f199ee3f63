import type { ItemRow } from "../data/item-rows.js";
import type { FileCancelMessage, FileDescrMessage } from "../data/wire.js";
import { rcvCancelled, startDownload } from "../files/downloads.js";
import { sndCancelled } from "../files/uploads.js";
import { emitItem } from "../items/items.js";
import { descrJson, rcvTransfer } from "../json/file-json.js";
import { aChatItem } from "../json/item-json.js";
import type { User } from "../user/user.js";
import { itemOf, type Source } from "./incoming.js";

/** A part of the descriptor of a file. */
export function onFileDescr(user: User, source: Source, wire: FileDescrMessage): void {
  const item = itemOf(user, source, wire.sharedMsgId);
  const row = user.db.files.get(item?.fileId);
  const receiving = row?.receiving;
  if (!item || !row || !receiving || receiving.complete || wire.partNo !== receiving.partNo + 1) return;
  receiving.descr += wire.part;
  receiving.partNo = wire.partNo;
  receiving.complete = wire.complete;
  if (!wire.complete || receiving.state === "cancelled") return;
  user.emitOf("rcvFileDescrReady", {
    chatItem: aChatItem(user.db, item, { now: user.now() }),
    rcvFileTransfer: rcvTransfer(user.db, row, receiving),
    rcvFileDescr: descrJson(receiving),
  });
  if (receiving.state !== "accepted") return;
  const unknown = startDownload(user, row, receiving);
  // In a direct chat the refusal is told in the stream of errors only, which nobody sees.
  if (unknown.length > 0 && source.group) emitItem(user, "chatItemUpdated", item);
}

/** The sender cancelled a file. In a group the event shows it as it was before. */
export function onFileCancel(user: User, source: Source, wire: FileCancelMessage): void {
  const item = itemOf(user, source, wire.sharedMsgId);
  const row = user.db.files.get(item?.fileId);
  const receiving = row?.receiving;
  if (!item || !row || !receiving || receiving.state === "complete" || receiving.state === "cancelled")
    return;
  const show = () => aChatItem(user.db, item, { now: user.now() });
  const before = show();
  const rcvFileTransfer = rcvTransfer(user.db, row, receiving);
  rcvCancelled(row, receiving);
  user.emitOf("rcvFileSndCancelled", { chatItem: source.group ? before : show(), rcvFileTransfer });
}

/** The item was deleted, and is shown so: a file on its way goes no further. */
export function itemDeleted(user: User, { fileId }: ItemRow): void {
  const row = user.db.files.get(fileId);
  if (!row) return;
  const { sending, receiving } = row;
  if (sending && !sending.over) sndCancelled(user, row);
  if (receiving && receiving.state !== "complete" && row.status.type !== "rcvError")
    rcvCancelled(row, receiving);
}
