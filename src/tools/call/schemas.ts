import { z } from "zod";
import type { ChatRef } from "../../core/types.js";
import { ToolError } from "./tool.js";

/** `@4` or `#15`, in every tool: one spelling a chat, so that references can be compared. */
export const chat = z
  .string()
  .regex(/^[@#][1-9]\d{0,14}$/, "a chat is @4 (contact) or #15 (group), as list gives it")
  .describe("The chat: @4 (contact) or #15 (group), as list gives it.") as z.ZodType<ChatRef, ChatRef>;

export const item = z.int().positive();

/** Seconds; waiting starts when the action is performed, not while the owner decides. */
export function wait(seconds: number, what: string) {
  return z.number().min(0).max(86_400).default(seconds).describe(`Seconds: ${what}.`);
}

export const idle = z
  .number()
  .min(1)
  .max(3600)
  .default(10)
  .describe("Seconds without a further message after which the wait ends.");

export const limit = z.int().min(1).max(100).default(20).describe("The most messages to return.");

/** What the result of every action has. */
export const ActionFieldsOut = {
  action: z.int().optional().describe("The number on the owner's card."),
  status: z
    .enum([
      "done",
      "answered",
      "known",
      "pending",
      "performing",
      "rejected",
      "expired",
      "failed",
      "cancelled",
      "interrupted",
    ])
    .describe(
      "done: it happened. answered: see answer. known: already there, nothing was done. pending: not decided yet, make the same call again. performing: still running, make the same call again. rejected: see reason. expired: nobody decided in time, this is no rejection. failed: see error. cancelled: the server stopped before the decision, nothing was done. interrupted: the server stopped while doing it, it may have happened: look (history, list) before asking again.",
    ),
  reason: z.string().optional().describe("Why the owner rejected it."),
  error: z.string().optional().describe("Why it failed."),
  text: z.string().optional().describe("With changed_by_owner: the text that the owner wrote instead."),
  changed_by_owner: z.literal(true).optional(),
};

/** Refuses what the core cannot send: lone surrogates, which no UTF-8 text has. */
export function validText(text: string, what: string): string {
  if (!text.isWellFormed()) {
    throw new ToolError(
      `The ${what} is no valid Unicode: it has half of a surrogate pair. Send whole characters.`,
    );
  }
  return text;
}
