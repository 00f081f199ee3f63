import { z } from "zod";
import { optionalText, text } from "./tolerant.js";

/**
 * Content of a received or sent message: `text`, `link`, `image`, `video`, `voice`, `file`, `report`, `chat` or a
 * type that only newer peers know. What peers write into unknown types is not checked by the core, and what is no
 * object is of the type `unknown`. Kept whole, since a quote carries all of it.
 */
export const MsgContent = z
  .looseObject({
    type: z.string().catch("unknown"),
    text,
    /** A small preview, `data:image/jpg;base64,…` */
    image: optionalText,
    /** Seconds, of a video or voice message. */
    duration: z.number().optional().catch(undefined),
  })
  .catch({ type: "unknown", text: "" });
export type MsgContent = z.infer<typeof MsgContent>;

/** Content of a message that is sent, with every key that the core requires. */
export type OutgoingContent =
  | { type: "text"; text: string }
  | { type: "image"; text: string; image: string }
  | { type: "video"; text: string; image: string; duration: number }
  | { type: "voice"; text: string; duration: number }
  | { type: "file"; text: string };

/** A message for `/_send`. `mentions`: the name as it stands in the text, to the `groupMemberId`. */
export interface ComposedMessage {
  msgContent: OutgoingContent;
  fileSource?: { filePath: string };
  quotedItemId?: number;
  mentions?: Record<string, number>;
}

/** New content for an own message. The core wants the mentions in full again. */
export interface UpdatedMessage {
  msgContent: OutgoingContent;
  mentions?: Record<string, number>;
}
