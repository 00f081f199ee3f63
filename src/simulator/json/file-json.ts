import { chatId } from "../data/chat-key.js";
import type { FileRow, Receiving, Sending } from "../data/file-rows.js";
import type { Json } from "../data/rows.js";
import type { Database } from "../database/database.js";
import { present } from "./json.js";

/** What the core says of every file, although only files of old clients were sent in such pieces. */
const CHUNK_SIZE = 15780;

/** `CIFile` */
export function fileJson({ fileId, name, size, path, cryptoArgs, status }: FileRow): Json {
  return present({
    fileId,
    fileName: name,
    fileSize: size,
    fileSource: path === undefined ? undefined : present({ filePath: path, cryptoArgs }),
    fileStatus: status,
    fileProtocol: "xftp",
  });
}

/** `FileTransferMeta` */
export function transferMeta({ fileId, name, size, path = "" }: FileRow, sending: Sending): Json {
  return {
    fileId,
    xftpSndFile: present({
      agentSndFileId: sending.agentId,
      privateSndFileDescr: sending.privateDescr,
      agentSndFileDeleted: false,
    }),
    fileName: name,
    filePath: path,
    fileSize: size,
    chunkSize: CHUNK_SIZE,
    cancelled: sending.cancelled,
  };
}

/** `SndFileTransfer` of each recipient. */
export function sndTransfers({ fileId, name, size, path = "" }: FileRow, { recipients }: Sending): Json[] {
  return recipients.map(({ name: recipientDisplayName, connId, agentConnId, memberId, status, descrId }) =>
    present({
      fileId,
      fileName: name,
      filePath: path,
      fileSize: size,
      chunkSize: CHUNK_SIZE,
      recipientDisplayName,
      connId,
      agentConnId,
      groupMemberId: memberId,
      fileStatus: status,
      fileDescrId: descrId,
    }),
  );
}

/** `RcvFileDescr` */
export const descrJson = ({ descrId, descr, partNo, complete }: Receiving): Json => ({
  fileDescrId: descrId,
  fileDescrText: descr,
  fileDescrPartNo: partNo,
  fileDescrComplete: complete,
});

/** `RcvFileTransfer` */
export function rcvTransfer(db: Database, row: FileRow, receiving: Receiving): Json {
  const item = db.items.at(row.itemId);
  const member = db.members.get(item.memberId);
  const sender = member ?? db.contacts.get(chatId(item.chat));
  const hasPath = ["accepted", "connected", "complete"].includes(receiving.state);
  return present({
    fileId: row.fileId,
    xftpRcvFile: present({
      rcvFileDescription: descrJson(receiving),
      agentRcvFileId: receiving.agentId,
      agentRcvFileDeleted: false,
      userApprovedRelays: receiving.approvedRelays,
    }),
    fileInvitation: { fileName: row.name, fileSize: row.size },
    fileStatus: { type: receiving.state, ...(hasPath && { filePath: row.path }) },
    fileType: "normal",
    senderDisplayName: sender?.localDisplayName ?? "",
    chunkSize: CHUNK_SIZE,
    cancelled: receiving.state === "cancelled",
    grpMemberId: member?.groupMemberId,
    cryptoArgs: row.cryptoArgs,
  });
}
