import { rmSync } from "node:fs";
import type { CoreJson } from "../../core/api/chat-api.js";
import { chatError, storeError } from "../data/errors.js";
import type { FileRow, Receiving } from "../data/file-rows.js";
import type { Json } from "../data/rows.js";
import { rcvTransfer } from "../json/file-json.js";
import { aChatItem } from "../json/item-json.js";
import { padded, readDescriptor } from "../network/descriptors.js";
import { PRESET_OPERATORS } from "../network/preset-servers.js";
import type { User } from "../user/user.js";
import { onDisk, receivePath, writeContent } from "./file-disk.js";

/** What `/freceive` says beside the file. */
export interface ReceiveOptions {
  readonly approvedRelays: boolean;
  readonly encrypt: boolean;
  readonly path: string | undefined;
}

/** `/freceive` */
export function receiveFile(user: User, fileId: number, options: ReceiveOptions): CoreJson {
  const { row, receiving } = receivedFile(user, fileId);
  if (options.encrypt && receiving.state === "new") {
    row.cryptoArgs = { fileKey: padded(user.random.bytes(32)), fileNonce: padded(user.random.bytes(24)) };
  }
  if (receiving.state === "cancelled") throw chatError("fileCancelled", { message: row.name });
  if (receiving.state !== "new") throw chatError("fileAlreadyReceiving", { message: row.name });
  row.path = receivePath(user, row.name, options.path);
  row.status = { type: "rcvAccepted" };
  receiving.state = "accepted";
  receiving.approvedRelays = options.approvedRelays;
  const chatItem = shown(user, row);
  if (receiving.complete) {
    const unknown = startDownload(user, row, receiving);
    if (unknown.length > 0) {
      user.emitOf("chatItemUpdated", { chatItem: shown(user, row) });
      throw chatError("fileNotApproved", { fileId, unknownServers: unknown });
    }
  }
  return user.answer("rcvFileAccepted", { chatItem });
}

/** A file that was sent to us. */
export function receivedFile(user: User, fileId: number): { row: FileRow; receiving: Receiving } {
  const row = user.db.files.get(fileId);
  if (!row) throw storeError("userNotFoundByFileId", { fileId });
  if (!row.receiving) throw storeError("rcvFileNotFound", { fileId });
  return { row, receiving: row.receiving };
}

const shown = (user: User, { itemId }: FileRow): Json =>
  aChatItem(user.db, user.db.items.at(itemId), { now: user.now() });

/** Hands an accepted file to the agent, or takes it back where these servers were not approved. */
export function startDownload(user: User, row: FileRow, receiving: Receiving): string[] {
  const server = readDescriptor(receiving.descr)?.server ?? "";
  if (!receiving.approvedRelays && !isKnown(user, server) && !hidesAddress(user, server)) {
    takeBack(user, row, receiving);
    return [server];
  }
  receiving.state = "connected";
  receiving.agentId = user.random.id();
  receiving.done = 0;
  receiving.ended = false;
  row.status = { type: "rcvTransfer", rcvProgress: 0, rcvTotal: 1 };
  user.emitOf("rcvFileStart", { chatItem: shown(user, row) });
  user.transfers.go();
  return [];
}

function isKnown({ db }: User, server: string): boolean {
  const presets = PRESET_OPERATORS.flatMap(({ xftp }) => xftp);
  return [...(db.xftpServers ?? []), ...presets].includes(server);
}

/** Whether the server does not see who asks: through a proxy, or as an onion service. */
function hidesAddress({ session }: User, server: string): boolean {
  const { socksProxy, hostMode } = session.networkConfig;
  return socksProxy !== undefined || (hostMode === "onion" && /\.onion\b/.test(server));
}

/** The file is offered again, as if nobody had asked for it; what came of it is removed. */
export function takeBack(user: User, row: FileRow, receiving: Receiving): void {
  const hasFile = receiving.state === "accepted" || receiving.state === "connected";
  if (hasFile && row.path !== undefined) rmSync(onDisk(user, row.path), { force: true });
  row.status = { type: "rcvInvitation" };
  receiving.state = "new";
  receiving.done = 0;
  delete receiving.agentId;
}

/** The file will not come: its sender or we cancelled it. What came of it stays. */
export function rcvCancelled(row: FileRow, receiving: Receiving): void {
  row.status = { type: "rcvCancelled" };
  receiving.state = "cancelled";
}

/** Downloads one chunk; with the last the file is there. */
export function downloadStep(user: User, row: FileRow, receiving: Receiving): void {
  const failure = user.network.files.failure("download", user.database);
  if (typeof failure === "object") return fail(user, row, receiving, failure);
  const descriptor = readDescriptor(receiving.descr);
  const file = descriptor && user.network.xftp.find(descriptor.replica, user.now());
  if (descriptor) user.connectFileHost(descriptor.server);
  if (!descriptor || !file) {
    const xftpErr = { type: "AUTH" };
    return fail(user, row, receiving, { type: "XFTP", serverAddress: descriptor?.server, xftpErr });
  }
  const { chunks } = descriptor;
  if (receiving.done < chunks.length) {
    receiving.done++;
    const received = chunks.slice(0, receiving.done).reduce((sum, size) => sum + size, 0);
    const total = chunks.reduce((sum, size) => sum + size, 0);
    row.status = { type: "rcvTransfer", rcvProgress: received, rcvTotal: total };
    user.emitOf("rcvFileProgressXFTP", {
      chatItem_: shown(user, row),
      receivedSize: received,
      totalSize: total,
      rcvFileTransfer: rcvTransfer(user.db, row, receiving),
    });
  }
  if (receiving.done >= chunks.length) complete(user, row, receiving, file.content);
}

function complete(user: User, row: FileRow, receiving: Receiving, content: Buffer): void {
  try {
    writeContent(onDisk(user, row.path ?? ""), content, row.cryptoArgs);
  } catch {
    // The core's error comes where nobody sees it, and the file's status stays as it is.
    receiving.ended = true;
    return;
  }
  receiving.state = "complete";
  row.status = { type: "rcvComplete" };
  user.emitOf("rcvFileComplete", { chatItem: shown(user, row) });
}

function fail(user: User, row: FileRow, receiving: Receiving, agentError: CoreJson): void {
  receiving.ended = true;
  row.status = { type: "rcvError", rcvFileError: fileError(agentError) };
  user.emitOf("rcvFileError", {
    chatItem_: shown(user, row),
    agentError,
    rcvFileTransfer: rcvTransfer(user.db, row, receiving),
  });
}

function fileError({ type, xftpErr, brokerErr, ...rest }: CoreJson): Json {
  const of = (error: unknown): unknown => (error as { type?: unknown } | undefined)?.type;
  if (type === "XFTP" && of(xftpErr) === "AUTH") return { type: "auth" };
  if (type === "BROKER") return { type: "relay", srvError: brokerErr };
  return { type: "other", fileError: `${type} ${JSON.stringify({ xftpErr, ...rest })}` };
}
