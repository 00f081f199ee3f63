import { unparsable } from "./errors.js";
import type { CryptoArgs } from "./file-rows.js";
import { isObject, parseJson, parseObject } from "./parsed.js";
import type { Json } from "./rows.js";

/** One message of `/_send`. */
export interface Composed {
  readonly content: MsgContent;
  readonly quotedItemId?: number;
  readonly mentions: ReadonlyMap<string, number>;
  readonly file?: ComposedFile;
}

/** `CryptoFile` */
export interface ComposedFile {
  readonly filePath: string;
  readonly cryptoArgs?: CryptoArgs;
}

/** A message's content; unknown types are sent as they are. */
export type MsgContent = Json & { readonly type: string; readonly text: string };

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  link: ["preview"],
  image: ["image"],
  video: ["image", "duration"],
  voice: ["duration"],
  report: ["reason"],
  chat: ["chatLink"],
};

/** A `msgContent`, in the core's own form for the types it knows. */
export function parseContent(json: unknown): MsgContent {
  if (!isObject(json) || typeof json.type !== "string") throw unparsable();
  const { type, text } = json;
  const needed = NEEDED[type];
  if (type !== "text" && type !== "file" && !needed) {
    return { ...json, type, text: typeof text === "string" ? text : "unknown" };
  }
  if (typeof text !== "string") throw unparsable();
  const fields = (needed ?? []).map((key) => {
    const value = json[key];
    if (value === undefined || value === null) throw unparsable();
    return [key, key === "image" ? imageData(value) : value];
  });
  return { type, text, ...Object.fromEntries(fields) };
}

function imageData(value: unknown): string {
  if (typeof value !== "string") throw unparsable();
  return value.startsWith("data:") ? value : "";
}

/** The array of `/_send ... json`. */
export function parseComposed(text: string): Composed[] {
  const json = parseJson(text);
  if (!Array.isArray(json) || json.length === 0) throw unparsable();
  return json.map((one) => {
    if (!isObject(one)) throw unparsable();
    const { msgContent, quotedItemId, fileSource, filePath } = one;
    const file = parseFile(fileSource ?? (filePath === undefined ? undefined : { filePath }));
    return {
      content: parseContent(msgContent),
      mentions: parseMentions(one.mentions),
      ...(typeof quotedItemId === "number" && { quotedItemId }),
      ...(file && { file }),
    };
  });
}

function parseFile(json: unknown): ComposedFile | undefined {
  if (json === undefined || json === null) return undefined;
  if (!isObject(json) || typeof json.filePath !== "string") throw unparsable();
  const { filePath, cryptoArgs } = json;
  if (cryptoArgs === undefined || cryptoArgs === null) return { filePath };
  if (!isObject(cryptoArgs)) throw unparsable();
  const { fileKey, fileNonce } = cryptoArgs;
  if (typeof fileKey !== "string" || typeof fileNonce !== "string") throw unparsable();
  return { filePath, cryptoArgs: { fileKey, fileNonce } };
}

/** The map from names to groupMemberIds. */
function parseMentions(json: unknown): Map<string, number> {
  if (json === undefined) return new Map();
  if (!isObject(json)) throw unparsable();
  return new Map(
    Object.entries(json).map(([name, id]) => {
      if (typeof id !== "number") throw unparsable();
      return [name, id];
    }),
  );
}

export const textMessage = (text: string): Composed => ({
  content: { type: "text", text },
  mentions: new Map(),
});

/** The JSON of `/_update item`: both keys are required. */
export function parseUpdate(text: string): Composed {
  const json = parseObject(text);
  if (json.msgContent === undefined || json.mentions === undefined) throw unparsable();
  return { content: parseContent(json.msgContent), mentions: parseMentions(json.mentions) };
}
