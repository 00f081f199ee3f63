/** Puts any JSON where peers write it into what the core tells, as the core passes much of it on. */
import fc from "fast-check";
import type { CoreJson } from "../../src/core/api/chat-api.js";
import type { ChatRef } from "../../src/core/types.js";
import type { RecordedApi } from "./recorded-api.js";

/** A place in the core's JSON: whether a value is there, by its key and that of what it is in. */
export interface Place {
  readonly name: string;
  readonly isHere: (key: string, within: string) => boolean;
}

function keys(...names: string[]): Place[] {
  return names.map((name) => ({ name, isHere: (key) => key === name }));
}

/** All that a peer can shape. */
export const PLACES: readonly Place[] = [
  ...keys("msgContent", "quotedItem", "reactions", "mentions", "itemText", "itemTs"),
  ...keys("profile", "memberProfile", "groupProfile", "memberRole", "businessChat"),
  ...keys("displayName", "fullName", "shortDescr", "description", "image", "peerType"),
  { name: "contact link", isHere: (key, within) => key === "contactLink" && /profile$/i.test(within) },
  ...keys("preferences", "mergedPreferences", "groupPreferences", "fullGroupPreferences", "timedMessages"),
  ...keys("file", "fileName", "fileSize", "fileInvitation", "fileDescrText", "fileProtocol"),
  ...keys("contactSLinkData_", "groupSLinkData_"),
  {
    name: "reaction",
    isHere: (key, within) => key === "reaction" && ["reactions", "chatReaction"].includes(within),
  },
  { name: "text of a message", isHere: (key, within) => key === "text" && within === "msgContent" },
  { name: "type of a message", isHere: (key, within) => key === "type" && within === "msgContent" },
  { name: "quoted content", isHere: (key, within) => key === "content" && within === "quotedItem" },
  { name: "sender of a quote", isHere: (key, within) => key === "chatDir" && within === "quotedItem" },
];

/** Deeper than what recursion takes. */
const DEEP: unknown = JSON.parse("[".repeat(20_000) + "]".repeat(20_000));

/** JSON that a peer wrote. */
export class Written {
  constructor(readonly json: unknown) {}

  /** For a counterexample; what is too deep to be printed is only named. */
  [fc.toStringMethod](): string {
    try {
      return String(JSON.stringify(this.json)).slice(0, 300);
    } catch {
      return "JSON too deep for recursion";
    }
  }
}

/** Any JSON, with what has a meaning to the readers of it. Numbers beyond doubles are read as infinite. */
export const written: fc.Arbitrary<Written> = fc
  .oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.constantFrom<unknown>(
      null,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      -1,
      1.5,
      "",
      "\u{E0041}\u202E\ud800\u0000",
      "/approve 1",
      "x".repeat(100_000),
      [],
      [null, 5, {}],
      {},
      { type: "emoji", emoji: 5 },
      { type: "x", y: [] },
      { type: "text", text: { text: 1 } },
      { type: "image", text: "", image: "data:image/png;base64,AAAA" },
      { displayName: 5, preferences: 7 },
      JSON.parse('{"__proto__":{"type":"text"},"constructor":1,"toString":null}'),
      DEEP,
      { type: "deep", text: "t", more: DEEP },
    ),
  )
  .map((json) => new Written(json));

/** The JSON with what was written in each of the places, but for what is told of the own user and of the chat `except`. */
export function putInto(
  json: CoreJson,
  changes: readonly (readonly [Place, Written])[],
  except?: ChatRef,
): CoreJson {
  const changed = changedIn(json, { changes, except }, "");
  if (!isObject(changed) || typeof changed.type !== "string")
    throw new Error("an answer has no type any more");
  return { ...changed, type: changed.type };
}

interface Change {
  readonly changes: readonly (readonly [Place, Written])[];
  readonly except: ChatRef | undefined;
}

function changedIn(json: unknown, change: Change, within: string): unknown {
  if (Array.isArray(json)) return json.map((one) => changedIn(one, change, within));
  if (!isObject(json) || isOf(json, change.except)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, part]) => {
      if (OWN.includes(key)) return [key, part];
      const here = change.changes.find(([place]) => place.isHere(key, within));
      return [key, here ? here[1].json : changedIn(part, change, key)];
    }),
  );
}

/** What is ours: the user, we as a member, a file that we send. */
const OWN: readonly string[] = ["user", "membership", "fileTransferMeta"];

function isOf(json: Record<string, unknown>, chat: ChatRef | undefined): boolean {
  if (chat === undefined) return false;
  const info = isObject(json.chatInfo) ? json.chatInfo : json;
  const group = isObject(info.groupInfo) ? info.groupInfo : info;
  return group.groupId === Number(chat.slice(1));
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** What an api tells as a test changes it, and the events as they came. */
export interface Changeable {
  change: (json: CoreJson) => CoreJson;
  readonly events: CoreJson[];
}

/** Lets a test change what this api tells, from now on. To be called before the api is used. */
export function changeable(api: RecordedApi): Changeable {
  const state: Changeable = { change: (json) => json, events: [] };
  const sendChatCmd = api.sendChatCmd.bind(api);
  const onAny = api.onAny.bind(api);
  api.onAny((event) => state.events.push(event));
  api.sendChatCmd = async (command) => state.change(await sendChatCmd(command));
  api.onAny = (handler) => onAny((event) => handler(state.change(event)));
  return state;
}
