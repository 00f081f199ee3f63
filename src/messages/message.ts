/** The agent's message: what tools return and describe in their output schemas. */
import { z } from "zod";

export const Sender = z.object({
  member: z.number().optional().describe("Member id, in groups"),
  name: z.string(),
  kind: z.enum(["contact", "bot", "agent", "member", "channel"]),
});
export type Sender = z.infer<typeof Sender>;

export const MessageFile = z.object({
  name: z.string(),
  size: z.number().describe("Bytes"),
  type: z.enum(["image", "video", "voice", "file"]),
  state: z.enum(["offered", "uploading", "downloading", "ready", "sent", "cancelled", "failed"]),
  path: z.string().optional().describe("Where it is on this computer, when ready"),
});
export type MessageFile = z.infer<typeof MessageFile>;

export const Message = z.object({
  item: z.number().describe("Item id, for reply_to and download"),
  kind: z.literal("event").optional().describe("Set on what is no message: joined, left, role changed, …"),
  time: z.string().describe("ISO 8601 UTC"),
  from: Sender,
  own: z.literal(true).optional(),
  text: z.string(),
  edited: z.literal(true).optional(),
  deleted: z.literal(true).optional(),
  mentions_me: z.literal(true).optional().describe("You are mentioned or your message is quoted"),
  reply_to: z.object({ item: z.number().optional(), from: Sender, text: z.string() }).optional(),
  file: MessageFile.optional(),
  reactions: z
    .array(z.object({ emoji: z.string(), count: z.number(), own: z.literal(true).optional() }))
    .optional(),
  forwarded: z.literal(true).optional(),
});
export type Message = z.infer<typeof Message>;
