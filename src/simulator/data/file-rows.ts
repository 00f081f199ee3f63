import type { Json } from "./rows.js";

/** The file of an item. Plain data, as all rows are. */
export interface FileRow {
  fileId: number;
  itemId: number;
  /** As its sender calls it, unfiltered. */
  name: string;
  /** Bytes, as its sender says. */
  size: number;
  /** As commands and items name it: where a files folder is set, relative to it. */
  path?: string;
  /** Of a file that is encrypted on the disk. */
  cryptoArgs?: CryptoArgs;
  /** `CIFileStatus` */
  status: Json;
  sending?: Sending;
  receiving?: Receiving;
}

/** base64url: 32 and 24 bytes. */
export interface CryptoArgs {
  readonly fileKey: string;
  readonly fileNonce: string;
}

/** A file of ours on its way to the servers, and to those who are told where it is. */
export interface Sending {
  /** `agentSndFileId` */
  readonly agentId: string;
  readonly recipients: Recipient[];
  /** Our copy of the file, once it is made: what becomes of the original makes no difference from then on. */
  stored?: string;
  /** How many chunks are at the servers. */
  done: number;
  /** Uploaded, failed or cancelled. */
  over: boolean;
  cancelled: boolean;
  /** The descriptor that lets us delete the file. */
  privateDescr?: string;
  /** The descriptor for members who come later. */
  sharedDescr?: string;
}

export interface Recipient {
  readonly connId: number;
  readonly agentConnId: string;
  readonly memberId?: number;
  readonly name: string;
  readonly descrId: number;
  status: "new" | "complete";
}

/** A file of a peer. */
export interface Receiving {
  /** `fileDescrId` */
  readonly descrId: number;
  /** The descriptor, as far as it came: in parts, the first of which is number 1. */
  descr: string;
  partNo: number;
  complete: boolean;
  state: "new" | "accepted" | "connected" | "complete" | "cancelled";
  /** The agent does no more for it: it failed, or could not be put where it belongs. */
  ended: boolean;
  approvedRelays: boolean;
  /** `agentRcvFileId`, while it is being downloaded or was. */
  agentId?: string;
  /** How many chunks are here. */
  done: number;
}
