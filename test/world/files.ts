import { readFile } from "node:fs/promises";
import { type AChatItem, type ChatRef, chatRefOf, type MsgContent, readEvent } from "../../src/core/types.js";
import { at, listAt } from "./json.js";
import type { Person } from "./person.js";
import { until } from "./until.js";

/** A file that came with a message. */
export interface SeenFile {
  readonly chat: ChatRef;
  readonly item: number;
  readonly fileId: number;
  readonly name: string;
  readonly size: number;
  readonly content: MsgContent;
  /** The text of the message that it replies to. */
  readonly quote: string | undefined;
}

/** Sends the file at a path; resolves with its item. */
export async function sendFile(
  person: Person,
  chat: ChatRef,
  path: string,
  content: object = { type: "file", text: "" },
): Promise<number> {
  const message = { fileSource: { filePath: path }, msgContent: content };
  const [item] = listAt(await person.run(`/_send ${chat} json ${JSON.stringify([message])}`), "chatItems");
  const id = at(item, "chatItem", "meta", "itemId");
  if (typeof id !== "number") throw new Error(`${person.name} sent no message`);
  return id;
}

/** The files that came to a person so far. */
export function filesOf(person: Person): SeenFile[] {
  return person.events.flatMap((raw) => {
    const event = readEvent(raw);
    return event?.type === "newChatItems" ? event.chatItems.flatMap((item) => seen(item) ?? []) : [];
  });
}

function seen({ chatInfo, chatItem }: AChatItem): SeenFile | undefined {
  const chat = chatRefOf(chatInfo);
  const { file, content, meta, quotedItem } = chatItem;
  if (!chat || !file || content.type !== "rcvMsgContent") return undefined;
  return {
    chat,
    item: meta.itemId,
    fileId: file.fileId,
    name: file.fileName,
    size: file.fileSize,
    content: content.msgContent,
    quote: quotedItem?.content.text,
  };
}

/** The newest file of this name that came or comes to a person. */
export async function fileFor(person: Person, name: string): Promise<SeenFile> {
  return await until(`the file ${name}, to ${person.name}`, () =>
    filesOf(person).findLast((file) => file.name === name),
  );
}

/** Waits until the sender has uploaded the file. */
export async function uploadedTo(person: Person, { fileId }: SeenFile): Promise<void> {
  await person.waitFor(
    `the servers of file ${fileId}`,
    (event) => event.type === "rcvFileDescrReady" && at(event, "rcvFileTransfer", "fileId") === fileId,
  );
}

/** Downloads the file to a path, once it is uploaded; resolves with its content. */
export async function receiveFile(person: Person, file: SeenFile, path: string): Promise<Buffer> {
  await uploadedTo(person, file);
  await person.run(`/freceive ${file.fileId} approved_relays=on ${path}`);
  await person.waitFor(
    `the content of ${file.name}`,
    (event) =>
      event.type === "rcvFileComplete" && at(event, "chatItem", "chatItem", "file", "fileId") === file.fileId,
  );
  return await readFile(path);
}
