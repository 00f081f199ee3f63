/** The file of a message: what goes with it, and whether all of it fits. */
import { basename } from "node:path";
import type { SentFile } from "../../actions/action.js";
import { bytesLeft, bytesTooLong, type MessageSize } from "../../core/limits.js";
import type { OutgoingContent } from "../../core/types.js";
import { FileError, FileRefused } from "../../files/disk/file-error.js";
import { MOST_BYTES } from "../../files/outgoing/check-file.js";
import type { FileFacts, OutgoingFile } from "../../files/outgoing/outgoing.js";
import type { Media } from "../../files/outgoing/outgoing-preview.js";
import type { AgentDeps } from "../call/agent.js";
import { ToolError } from "../call/tool.js";
import type { Composed } from "./compose.js";

/** A file that the agent names. `asFile`: not as an image or video. */
export interface NamedFile {
  path: string;
  asFile: boolean;
}

/** The file, where the agent may send it; the owners are told of one that it may not. */
export async function attachedFile(
  deps: AgentDeps,
  composed: Composed,
  { path, asFile }: NamedFile,
): Promise<OutgoingFile> {
  try {
    return await deps.files.outgoing.prepare(path, {
      asFile,
      room: (facts) => previewRoom(deps, composed, facts),
    });
  } catch (error) {
    if (error instanceof FileRefused) deps.tellRefused(composed.fields, error.path, error.why);
    throw error instanceof FileError ? new ToolError(error.message) : error;
  }
}

/** What the card shows of it. */
export function cardFile({ media, ...facts }: OutgoingFile): SentFile {
  const file = fileFacts(facts);
  if (media.type === "file") return file;
  const { preview, shown } = media;
  return { ...file, preview, ...(shown === undefined ? {} : { shown }) };
}

function fileFacts({ path, name, size, type }: FileFacts): SentFile {
  return { path, ...(name === basename(path) ? {} : { name }), size, type };
}

/** The content of a message with the file, or without one. */
export function contentOf(text: string, media: Media | undefined): OutgoingContent {
  switch (media?.type) {
    case undefined:
      return { type: "text", text };
    case "file":
      return { type: "file", text };
    case "image":
      return { type: "image", text, image: media.preview };
    case "video":
      return { type: "video", text, image: media.preview, duration: media.duration };
  }
}

/** Rejects a message that does not fit, with all that goes with it. */
export function checkSize(composed: Composed, file: OutgoingFile | undefined): void {
  const excess = excessOf(composed, file);
  if (excess === 0) return;
  throw new ToolError(
    `The text is ${excess} bytes too long, with its quote and mentions counted. Shorten it or send several messages.`,
  );
}

/** By how many bytes the message is too long, with all that goes with it; 0 when it fits. */
export function excessOf(
  { size, fields }: Pick<Composed, "size" | "fields">,
  file: OutgoingFile | undefined,
): number {
  return bytesTooLong({
    ...size,
    content: contentOf(fields.text, file?.media),
    ...(file ? { file: wireFile(file) } : {}),
  });
}

/** The characters that message and card leave for a preview. */
function previewRoom(deps: AgentDeps, { size, fields }: Composed, facts: FileFacts): number {
  const content = emptyContent(fields.text, facts.type);
  const inMessage = bytesLeft({ ...size, content, file: wireFile(facts) });
  // How much of it will be shown is not known yet: the longest words are counted.
  const onCard = deps.pictureRoom({ ...fields, file: { ...fileFacts(facts), shown: "first frame" } });
  return Math.min(inMessage, onCard);
}

/** The content but for its preview. */
function emptyContent(text: string, type: FileFacts["type"]): OutgoingContent {
  switch (type) {
    case "file":
      return { type, text };
    case "image":
      return { type, text, image: "" };
    case "video":
      return { type, text, image: "", duration: 1_000_000 };
  }
}

/** An image that is written anew has another size, known only then: the most digits are counted. */
function wireFile({ name }: FileFacts): NonNullable<MessageSize["file"]> {
  return { name, size: MOST_BYTES };
}
