import { expect } from "vitest";
import { z } from "zod";
import type { ChatRef } from "../../src/core/types.js";
import type { ToolResult } from "../world/client.js";

/** An expected command, or several that run beside each other and come in any order. */
export type ExpectedCommand = string | readonly string[];

/**
 * A command or text in which links and their data are words, a card's item is CARD, and freed numbers are FREED: they
 * differ from run to run.
 */
export function withoutLinks(text: string): string {
  return text
    .replace(/^(\/_prepare .*?) \{.*$/, "$1 DATA")
    .replace(/^(\/_update item #\d+) \d+/, "$1 CARD")
    .replace(/"freed":\[[^\]]*\]/, '"freed":FREED')
    .replace(/simplex:\/(?:contact|invitation)#\S+?(?=[\s)"\\]|$)/g, "FULL")
    .replace(/https:\/\/[^\s/]+\/[agir]#\S+?(?=[\s),"\\]|$)/g, "LINK");
}

/** Checks the sequence of commands that the core got. */
export function expectCommands(actual: readonly string[], expected: readonly ExpectedCommand[]): void {
  const commands = actual.map(withoutLinks);
  let next = 0;
  const sorted = expected.flatMap((one) => {
    const group = typeof one === "string" ? [one] : one;
    const here = commands.slice(next, next + group.length);
    next += group.length;
    const wanted = group.map(withoutLinks);
    // In the order in which they came, where these are they.
    return here.toSorted().join("\n") === wanted.toSorted().join("\n") ? here : wanted;
  });
  expect(commands).toEqual(sorted);
}

/** The command that posts this text. */
export function posts(chat: ChatRef, text: string): string {
  return `/_send ${chat} json ${JSON.stringify([{ msgContent: { type: "text", text } }])}`;
}

/** The command that changes a card. */
export function edits(chat: ChatRef, text: string): string {
  return `/_update item ${chat} CARD json ${JSON.stringify({ msgContent: { type: "text", text }, mentions: {} })}`;
}

export function savesCounter(chat: ChatRef, next: number): string {
  return `/_set custom ${chat} {"simplexMcp":{"control":true,"nextAction":${next}}}`;
}

/** The same command once a chat was deleted: its number is remembered first, and kept then. */
export function savesFreed(chat: ChatRef, next: number): string {
  return savesCounter(chat, next).replace("}}", ',"freed":FREED}}');
}

/** Texts in which each time of the day is TIME. */
export function withoutTimes(texts: readonly string[]): string[] {
  return texts.map((text) => text.replace(/(?:\d{4}-\d\d-\d\d )?\b\d\d:\d\d\b/g, "TIME"));
}

/** Local time as the texts have it: `14:05`, or with the date when that is another day than `now`. Milliseconds. */
export function localTime(time: number, now: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const day = (date: Date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const date = new Date(time);
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return day(date) === day(new Date(now)) ? clock : `${day(date)} ${clock}`;
}

const Messages = z.array(z.object({ item: z.number(), text: z.string() }));

/** The messages in a result, or its responses. */
export function messagesOf({ data, text }: ToolResult): z.infer<typeof Messages> {
  const messages = Messages.safeParse(data?.messages ?? data?.responses);
  if (!messages.success) throw new Error(`there are no messages in ${text}`);
  return messages.data;
}

export function textsOf(result: ToolResult): string[] {
  return messagesOf(result).map(({ text }) => text);
}

/** A message that an agent gets, with any item and time where none is given. */
export function message(fields: Record<string, unknown>): Record<string, unknown> {
  return {
    item: expect.any(Number),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    ...fields,
  };
}

/** The core's error while another program holds the database. */
export const BUSY = {
  type: "errorStore",
  storeError: { type: "dBBusyError", message: "SQLite3 returned ErrorBusy" },
};

/** Each core has its own user as the first contact. */
export const OWN_CONTACT = "@1";

/** What `list` asks the core beside what a test looks at. */
export function isOfList(command: string): boolean {
  return /^\/_(?:get chats|show_address) /.test(command);
}
