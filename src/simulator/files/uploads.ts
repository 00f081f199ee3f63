import { basename } from "node:path";
import { type ChatAPIError, chatError } from "../data/errors.js";
import type { CryptoArgs, FileRow, Recipient, Sending } from "../data/file-rows.js";
import type { ItemRow } from "../data/item-rows.js";
import type { ConnRow, Json } from "../data/rows.js";
import type { FileDescrMessage, Wire } from "../data/wire.js";
import { transferMeta } from "../json/file-json.js";
import { aChatItem } from "../json/item-json.js";
import { chunkSizes, descriptorText, type FileSecrets, fileSecrets } from "../network/descriptors.js";
import { PRESET_OPERATORS } from "../network/preset-servers.js";
import type { User } from "../user/user.js";
import { onDisk, readContent, sizeOf, TAG_BYTES } from "./file-disk.js";

/** Of users without a badge. */
const MOST_BYTES = 1 << 30;
/** Characters of a descriptor in one message. */
const PART_LENGTH = 14_000;

/** A file of `/_send`, as it is on the disk. */
export interface OutgoingFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly cryptoArgs?: CryptoArgs;
}

/** Looks at a file that is to be sent. */
export function outgoingFile(
  user: User,
  { filePath, cryptoArgs }: { readonly filePath: string; readonly cryptoArgs?: CryptoArgs },
): OutgoingFile {
  const onDiskSize = sizeOf(onDisk(user, filePath));
  if (onDiskSize === undefined) throw fileNotFound(filePath);
  const size = cryptoArgs ? onDiskSize - TAG_BYTES : onDiskSize;
  if (size > MOST_BYTES) throw chatError("fileSize", { filePath });
  const name = user.network.files.takeName(user.database) ?? basename(filePath);
  return { path: filePath, name, size, ...(cryptoArgs && { cryptoArgs }) };
}

const fileNotFound = (path: string): ChatAPIError => chatError("fileNotFound", { message: path });

/** Who is told where a file is. */
export interface FileRecipient {
  readonly conn: ConnRow;
  readonly name: string;
  readonly memberId?: number;
}

/** Gives an own item its file, and begins to upload it. */
export function startUpload(
  user: User,
  item: ItemRow,
  { path, name, size, cryptoArgs }: OutgoingFile,
  to: readonly FileRecipient[],
): void {
  const { db } = user;
  db.addFile(item, (fileId): FileRow => {
    const recipients = to.map(
      ({ conn, name, memberId }): Recipient => ({
        connId: conn.connId,
        agentConnId: conn.agentConnId,
        ...(memberId !== undefined && { memberId }),
        name,
        descrId: db.addDescription(fileId),
        status: "new",
      }),
    );
    const sending = { agentId: user.random.id(), recipients, done: 0, over: false, cancelled: false };
    const status = { type: "sndStored" };
    return {
      fileId,
      itemId: item.itemId,
      name,
      size,
      path,
      status,
      sending,
      ...(cryptoArgs && { cryptoArgs }),
    };
  });
  user.transfers.go();
}

/** The server that the user's files go to: its own, or a preset one. */
function uploadServer(user: User): string {
  const server = user.db.xftpServers?.[0] ?? PRESET_OPERATORS[0]?.xftp[0];
  if (server === undefined) throw new Error("there are no file servers");
  return server;
}

/** First our copy is made, then it is uploaded in chunks, then the recipients are told. */
export function uploadStep(user: User, row: FileRow, sending: Sending): void {
  const failure = user.network.files.failure("upload", user.database);
  if (failure !== undefined) return fail(user, row, sending, String(failure));
  const stored = user.network.xftp.get(sending.stored);
  if (!stored) return makeCopy(user, row, sending);
  const chunks = chunkSizes(row.name, stored.content.length);
  const total = chunks.reduce((sum, size) => sum + size, 0);
  user.connectFileHost(stored.server);
  sending.done++;
  const sent = chunks.slice(0, sending.done).reduce((sum, size) => sum + size, 0);
  row.status = { type: "sndTransfer", sndProgress: sent, sndTotal: total };
  emitProgress(user, row, sending, sent, total);
  if (sending.done >= chunks.length) {
    const secrets = fileSecrets(user.random, stored.server, chunks, stored.content);
    tellRecipients(user, row, sending, secrets);
  }
}

function makeCopy(user: User, row: FileRow, sending: Sending): void {
  const path = onDisk(user, row.path ?? "");
  const content = readContent(path, row.cryptoArgs);
  if (!content) {
    const reason = `${path}: getFileSize:getFileStatus: does not exist (No such file or directory)`;
    return fail(user, row, sending, `INTERNAL {internalErr = "${reason}"}`);
  }
  const server = uploadServer(user);
  sending.stored = user.network.xftp.store({ server, name: row.name, content, at: user.now() });
}

function fail(user: User, row: FileRow, sending: Sending, errorMessage: string): void {
  sending.over = true;
  row.status = { type: "sndError", sndFileError: { type: "other", fileError: errorMessage } };
  user.emitOf("sndFileError", {
    chatItem_: shown(user, row),
    fileTransferMeta: transferMeta(row, sending),
    errorMessage,
  });
}

const shown = (user: User, { itemId }: FileRow): Json =>
  aChatItem(user.db, user.db.items.at(itemId), { now: user.now() });

function emitProgress(user: User, row: FileRow, sending: Sending, sentSize: number, totalSize: number): void {
  user.emitOf("sndFileProgressXFTP", {
    chatItem_: shown(user, row),
    fileTransferMeta: transferMeta(row, sending),
    sentSize,
    totalSize,
  });
}

/** All is uploaded: in a group that completes it, in a direct chat the descriptor has to be sent first. */
function tellRecipients(user: User, row: FileRow, sending: Sending, secrets: FileSecrets): void {
  const { random, network, db } = user;
  emitProgress(user, row, sending, 1, 1);
  row.status = { type: "sndTransfer", sndProgress: 1, sndTotal: 1 };
  sending.over = true;
  const meta = transferMeta(row, sending);
  const item = db.items.at(row.itemId);
  const { stored = "" } = sending;
  const describe = (party: "recipient" | "sender"): string =>
    descriptorText(random, secrets, party, network.xftp.replica(stored));
  sending.privateDescr = describe("sender");
  sending.sharedDescr = describe("recipient");
  for (const { connId } of sending.recipients) {
    const conn = db.conns.get(connId);
    if (conn) user.post(conn, descriptorMessages(item.sharedMsgId ?? "", describe("recipient")));
  }
  if (item.chat.startsWith("#")) complete(user, row, meta);
}

function complete(user: User, row: FileRow, fileTransferMeta: Json): void {
  row.status = { type: "sndComplete" };
  user.emitOf("sndFileCompleteXFTP", { chatItem: shown(user, row), fileTransferMeta });
}

/** The messages that bring a descriptor: in parts where it is long. */
export function descriptorMessages(sharedMsgId: string, text: string): FileDescrMessage[] {
  const count = Math.ceil(text.length / PART_LENGTH);
  return Array.from({ length: count }, (_, at) => ({
    kind: "fileDescr",
    sharedMsgId,
    part: text.slice(at * PART_LENGTH, (at + 1) * PART_LENGTH),
    partNo: at + 1,
    complete: at + 1 === count,
  }));
}

/** The servers took messages: with the whole descriptor the recipient has the file. */
export function descriptorsSent(user: User, conn: ConnRow, messages: readonly Wire[]): void {
  for (const wire of messages) {
    if (wire.kind !== "fileDescr" || !wire.complete) continue;
    const direct = conn.connType === "contact";
    const groupId = direct ? undefined : user.db.members.get(conn.entityId)?.groupId;
    const item = user.db.itemByShared(direct ? `@${conn.entityId}` : `#${groupId}`, wire.sharedMsgId);
    const row = user.db.files.get(item?.fileId);
    const recipient = row?.sending?.recipients.find(({ connId }) => connId === conn.connId);
    if (!row?.sending || row.sending.cancelled || !recipient) continue;
    recipient.status = "complete";
    if (direct) complete(user, row, transferMeta(row, row.sending));
  }
}

/** A file of ours will not come to those who did not get it yet, nor stay at the servers. */
export function sndCancelled(user: User, row: FileRow): void {
  const { sending } = row;
  if (!sending) return;
  user.network.xftp.delete(sending.stored);
  sending.over = true;
  sending.cancelled = true;
  row.status = { type: "sndCancelled" };
}
