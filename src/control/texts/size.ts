import { bytesLeft } from "../../core/limits.js";

/** By how many bytes a message of the control chat is too long, as a new one or as an edit; less than 0: room. */
export function textTooLong(text: string, edit: boolean, picture?: string): number {
  return -bytesLeft({ chat: "group", content: messageContent(text, picture), edit });
}

/** A text, or a text under a picture. */
export function messageContent(text: string, picture: string | undefined) {
  return picture === undefined
    ? { type: "text" as const, text }
    : { type: "image" as const, text, image: picture };
}
