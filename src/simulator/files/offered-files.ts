import type { ItemRow } from "../data/item-rows.js";
import type { WireFile } from "../data/wire.js";
import type { User } from "../user/user.js";

/** Larger files are never offered. */
const MOST_BYTES = 5 * (1 << 30);

/** Whether a message with this file is taken: the core drops one whose file is empty or too large, unseen. */
export const isReceivable = ({ size }: WireFile): boolean => size > 0 && size <= MOST_BYTES;

/** Gives a received item the file that its message offers. */
export function offerFile({ db }: User, item: ItemRow, { name, size }: WireFile): void {
  db.addFile(item, (fileId) => ({
    fileId,
    itemId: item.itemId,
    name,
    size,
    status: { type: "rcvInvitation" },
    receiving: {
      descrId: db.addDescription(fileId),
      descr: "",
      partNo: 0,
      complete: false,
      state: "new",
      ended: false,
      approvedRelays: false,
      done: 0,
    },
  }));
}
