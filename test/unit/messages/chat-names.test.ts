import { describe, expect, test } from "vitest";
import type { Answer } from "../../../src/core/responses.js";
import type { ChatEvent, Contact, GroupInfo } from "../../../src/core/types.js";
import { ChatNames } from "../../../src/messages/chat-names.js";
import { contactInfo, groupInfo } from "./make.js";

function named(contactId: number, displayName: string): Contact {
  const info = contactInfo(contactId, { profile: { displayName } });
  if (info.type !== "direct") throw new Error("no contact");
  return info.contact;
}
function groupNamed(groupId: number, displayName: string): GroupInfo {
  const info = groupInfo(groupId, { groupProfile: { displayName, fullName: "" } });
  if (info.type !== "group") throw new Error("no group");
  return info.groupInfo;
}
const chats = (...contacts: Contact[]): Answer => ({
  type: "apiChats",
  chats: contacts.map((one) => ({
    chatInfo: { type: "direct", contact: one },
    chatItems: [],
    chatStats: { unreadCount: 0, unreadMentions: 0, minUnreadItemId: 0, unreadChat: false },
  })),
});
const connected = (one: Contact): ChatEvent => ({ type: "contactConnected", contact: one });

function namesOf(...contacts: Contact[]): ChatNames {
  const names = new ChatNames();
  names.hear(chats(...contacts));
  return names;
}

describe("the name of a chat", () => {
  test.each([
    ["Bob", "Bob"],
    ["Bob", "bob"],
    ["Bob", "B\u043Eb"],
    ["Bob Smith", "Bob  Smith "],
    ["Bob", "Bo\u200Bb"],
    ["", " "],
    ["x".repeat(60), `${"x".repeat(55)}y`],
    [`${"\u202E".repeat(10)}a`, `${"\u202E".repeat(10)}b`],
  ])("%j looks like %j", (one, other) => {
    const names = namesOf(named(4, one), named(5, other), named(6, "Carol"));
    expect(names.isAlike({ chat: "@4", name: one })).toBe(true);
    expect(names.isAlike({ chat: "@5", name: other })).toBe(true);
    expect(names.isAlike({ chat: "@6", name: "Carol" })).toBe(false);
  });

  test.each([
    ["Bob", "Rob"],
    ["Bob", "Bobby"],
    ["Zoe", "Zoë"],
  ])("%j does not look like %j", (one, other) => {
    expect(namesOf(named(4, one), named(5, other)).isAlike({ chat: "@4", name: one })).toBe(false);
  });

  test("is heard in answers and events, of contacts and groups", () => {
    const names = namesOf(named(4, "Bob"));
    const isAlike = () => names.isAlike({ chat: "@4", name: "Bob" });
    expect(isAlike()).toBe(false);
    names.hear(connected(named(5, "Bob")));
    expect(isAlike()).toBe(true);
    names.hear({ type: "contactUpdated", fromContact: named(5, "Bob"), toContact: named(5, "Robert") });
    expect(isAlike()).toBe(false);
    names.hear({ type: "groupCreated", groupInfo: groupNamed(4, "Bob") });
    expect(isAlike()).toBe(true);
    names.hear({ type: "groupDeletedUser", groupInfo: groupNamed(4, "Bob") });
    expect(isAlike()).toBe(false);
  });

  test("is forgotten with its chat, whose number then is another's", () => {
    const names = namesOf(named(4, "Bob"), named(5, "Bob"));
    names.hear({ type: "contactDeleted", contact: named(5, "Bob") });
    expect(names.isAlike({ chat: "@4", name: "Bob" })).toBe(false);
    names.hear(connected(named(5, "Carol")));
    expect(names.isAlike({ chat: "@4", name: "Bob" })).toBe(false);
    expect(names.isAlike({ chat: "@4", name: "Carol" })).toBe(true);
  });

  test("of the control chat is nobody's", () => {
    const names = namesOf(named(4, "Bob"));
    names.ignore("#1");
    names.hear({ type: "groupCreated", groupInfo: groupNamed(1, "Bob") });
    expect(names.isAlike({ chat: "@4", name: "Bob" })).toBe(false);
  });
});
