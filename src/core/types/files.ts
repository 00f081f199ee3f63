import { z } from "zod";
import { bytes, text } from "./tolerant.js";

const progress = z.number().optional().catch(undefined);

/** `rcvInvitation` (offered), `rcvTransfer`, `rcvComplete`, `sndStored`, …; with the bytes moved so far. */
export const FileStatus = z.object({
  type: z.string(),
  rcvProgress: progress,
  rcvTotal: progress,
  sndProgress: progress,
  sndTotal: progress,
  /** Why a download failed: `auth` and `noFile` (gone from the server), `blocked`, `relay`, `other`. */
  rcvFileError: z
    .object({ type: z.string(), fileError: z.string().optional(), srvError: z.unknown().optional() })
    .optional()
    .catch(undefined),
});
export type FileStatus = z.infer<typeof FileStatus>;

export const CIFile = z.object({
  fileId: z.number(),
  /** From the peer, unfiltered: it may hold slashes, newlines, anything. */
  fileName: text,
  fileSize: bytes,
  /** May be there although nothing was downloaded: look at `fileStatus`. */
  fileSource: z.object({ filePath: z.string() }).optional(),
  fileStatus: FileStatus,
  fileProtocol: text,
});
export type CIFile = z.infer<typeof CIFile>;

/** A file on its way to us. */
export const RcvFileTransfer = z.object({
  fileId: z.number(),
  fileInvitation: z
    .object({ fileName: text, fileSize: bytes })
    .catch({ fileName: "", fileSize: Number.MAX_SAFE_INTEGER }),
  fileStatus: z.object({ type: z.string() }),
  cancelled: z.boolean().default(false),
});
export type RcvFileTransfer = z.infer<typeof RcvFileTransfer>;

/** YAML that names the servers (`replicas[].server`); complete when its last part has arrived. */
export const RcvFileDescr = z.object({ fileDescrText: text, fileDescrComplete: z.boolean() });
export type RcvFileDescr = z.infer<typeof RcvFileDescr>;

/** A file on its way from us. */
export const FileTransferMeta = z.object({
  fileId: z.number(),
  fileName: z.string(),
  filePath: z.string(),
  fileSize: z.number(),
  cancelled: z.boolean().default(false),
});
export type FileTransferMeta = z.infer<typeof FileTransferMeta>;
