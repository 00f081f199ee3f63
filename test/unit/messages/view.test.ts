import { describe, expect, it } from "vitest";
import { readEvent } from "../../../src/core/types.js";
import { isMessage, Message, viewItem } from "../../../src/messages/view.js";
import { readTranscript, transcriptNames } from "../../contract/transcript.js";
import { chatItem, contactInfo, EVENT, groupInfo, type ItemFields, itemIn, SWITCHBACK } from "./make.js";

const VIEWER = { name: "My Agent", filesFolder: "/data/files" };
const inGroup = (fields: ItemFields) => {
  const { chatInfo, chatItem: item } = itemIn(groupInfo(3), 8, fields);
  return viewItem(item, chatInfo, VIEWER);
};

describe("a message as the agent sees it", () => {
  it("has its item, its time in UTC, its author and its text, and nothing else", () => {
    expect(inGroup({ text: "hello" })).toEqual({
      item: 8,
      time: "2026-11-30T15:00:00.123Z",
      from: { member: 7, name: "Switchback", kind: "member" },
      text: "hello",
    });
  });

  it("has nothing that cannot be seen in what its peers wrote", () => {
    const odd = "a\u202E\u{E0041}\u0085\n";
    const shown = "a\\u{202E}\\u{E0041}\\u{85}";
    const member = { ...SWITCHBACK, memberProfile: { displayName: odd } };
    const seen = inGroup({
      text: odd,
      dir: { type: "groupRcv", groupMember: member },
      quotedItem: {
        chatDir: { type: "groupRcv", groupMember: member },
        sentAt: "T",
        content: { type: "text", text: odd },
      },
      reactions: [{ reaction: { type: "emoji", emoji: odd }, userReacted: false, totalReacted: 1 }],
      file: {
        fileId: 1,
        fileName: odd,
        fileSize: 1,
        fileStatus: { type: "rcvInvitation" },
        fileProtocol: "xftp",
      },
    });
    expect(seen).toMatchObject({
      from: { name: `${shown}\\u{A}` },
      text: `${shown}\n`,
      reply_to: { from: { name: `${shown}\\u{A}` }, text: `${shown}\n` },
      reactions: [{ emoji: "a\\u{202E}\\u{E0041}…" }],
      file: { name: `${shown}\\u{A}` },
    });
    expect(inGroup({ text: odd, content: EVENT }).text).toBe(`${shown}\n`);
  });

  it("has names of bounded length, and a bounded number of reactions", () => {
    const member = { ...SWITCHBACK, memberProfile: { displayName: "x".repeat(10_000) } };
    const reactions = Array.from({ length: 1000 }, (_, index) => ({
      reaction: { type: "emoji", emoji: `${index}` },
      userReacted: false,
      totalReacted: 1,
    }));
    const seen = inGroup({ dir: { type: "groupRcv", groupMember: member }, reactions });
    expect(seen.from.name).toBe(`${"x".repeat(100)}…`);
    expect(seen.reactions).toHaveLength(20);
  });

  it("that cannot be read is an event that says so, from whom can be told", () => {
    expect(inGroup({ meta: { itemForwarded: 5 } })).toEqual({
      item: 8,
      time: "2026-11-30T15:00:00.123Z",
      from: { member: 7, name: "Switchback", kind: "member" },
      kind: "event",
      text: "unreadable",
    });
    expect(inGroup({ meta: { itemLive: "yes" }, dir: { type: "groupRcv" } }).from).toEqual({
      name: "",
      kind: "member",
    });
  });

  it("that was sent at a time that is none has that of its arrival", () => {
    const timeOf = (itemTs: string, createdAt: string) => inGroup({ meta: { itemTs, createdAt } }).time;
    for (const none of ["12345-01-01T00:00:00Z", "-0044-03-15T00:00:00Z", "2026-11-30T15:00:60Z", ""]) {
      expect(timeOf(none, "2026-11-30T16:00:00.5Z")).toBe("2026-11-30T16:00:00.500Z");
      expect(timeOf(none, none)).toBe("1970-01-01T00:00:00.000Z");
    }
  });

  it("comes from a contact, a bot or an agent in a direct chat", () => {
    for (const [peerType, kind] of [
      [undefined, "contact"],
      ["human", "contact"],
      ["bot", "bot"],
      ["agent", "agent"],
    ]) {
      const info = contactInfo(4, { profile: { displayName: "Ann", peerType } });
      expect(viewItem(chatItem(8), info, VIEWER).from).toEqual({ name: "Ann", kind });
    }
  });

  it("comes from a member whose profile says bot, where it does", () => {
    const bot = { ...SWITCHBACK, memberProfile: { displayName: "Robo", peerType: "bot" } };
    expect(inGroup({ dir: { type: "groupRcv", groupMember: bot } }).from).toEqual({
      member: 7,
      name: "Robo",
      kind: "bot",
    });
  });

  it("comes from the channel itself in a channel", () => {
    const { chatInfo, chatItem: item } = itemIn(groupInfo(3, { useRelays: true }), 8, {
      dir: { type: "channelRcv" },
    });
    expect(viewItem(item, chatInfo, VIEWER).from).toEqual({ name: "Trail", kind: "channel" });
  });

  it("is our own by its direction, under the name we have in that chat", () => {
    const sent = { content: { type: "sndMsgContent", msgContent: { type: "text", text: "me" } } };
    expect(inGroup({ ...sent, dir: { type: "groupSnd" } })).toMatchObject({
      own: true,
      from: { name: "My Agent", kind: "agent" },
    });
    const membership = { ...SWITCHBACK, memberProfile: { displayName: "Incognito" } };
    const { chatInfo, chatItem: item } = itemIn(groupInfo(3, { membership }), 8, {
      ...sent,
      dir: { type: "groupSnd" },
    });
    expect(viewItem(item, chatInfo, VIEWER).from.name).toBe("Incognito");
    expect(
      viewItem(chatItem(8, { ...sent, dir: { type: "directSnd" } }), contactInfo(4), VIEWER).from.name,
    ).toBe("My Agent");
  });

  it("says that it was edited, mentions us, was forwarded, and how people reacted", () => {
    const meta = { itemEdited: true, userMention: true, itemForwarded: { type: "unknown" } };
    const reactions = [
      { reaction: { type: "emoji", emoji: "👍" }, userReacted: true, totalReacted: 2 },
      { reaction: { type: "emoji", emoji: "❤" }, userReacted: false, totalReacted: 1 },
      { reaction: { type: "sticker" }, userReacted: false, totalReacted: 1 },
    ];
    expect(inGroup({ meta, reactions })).toMatchObject({
      edited: true,
      mentions_me: true,
      forwarded: true,
      reactions: [
        { emoji: "👍", count: 2, own: true },
        { emoji: "❤", count: 1 },
      ],
    });
  });

  it("quotes what it replies to, with the item when we have it", () => {
    const content = { type: "text", text: "earlier" };
    const quoted = (quote: object) => inGroup({ quotedItem: { sentAt: "T", content, ...quote } }).reply_to;
    expect(quoted({ itemId: 5, chatDir: { type: "groupSnd" } })).toEqual({
      item: 5,
      from: { name: "My Agent", kind: "agent" },
      text: "earlier",
    });
    expect(quoted({ chatDir: { type: "groupRcv", groupMember: SWITCHBACK } })).toEqual({
      from: { member: 7, name: "Switchback", kind: "member" },
      text: "earlier",
    });
    expect(quoted({})).toEqual({ from: { name: "", kind: "member" }, text: "earlier" });
  });

  it("shows nothing of what was deleted, moderated, or written by a blocked member", () => {
    const file = {
      fileId: 1,
      fileName: "x",
      fileSize: 1,
      fileStatus: { type: "rcvInvitation" },
      fileProtocol: "xftp",
    };
    const quotedItem = { sentAt: "T", content: { type: "text", text: "q" } };
    for (const type of ["deleted", "moderated", "blocked", "blockedByAdmin"]) {
      const message = inGroup({ text: "secret", meta: { itemDeleted: { type } }, file, quotedItem });
      expect(message, type).toEqual({
        item: 8,
        time: "2026-11-30T15:00:00.123Z",
        from: { member: 7, name: "Switchback", kind: "member" },
        text: "",
        deleted: true,
      });
    }
  });

  it("is an event with a short text when it is no message", () => {
    expect(inGroup({ content: EVENT, text: "connected" })).toMatchObject({
      kind: "event",
      text: "connected",
    });
  });
});

describe("the file of a message", () => {
  const fileOf = (fileStatus: string, filePath?: string, contentType = "file") =>
    inGroup({
      content: { type: "rcvMsgContent", msgContent: { type: contentType, text: "" } },
      file: {
        fileId: 7,
        fileName: "../report.pdf",
        fileSize: 240_000,
        fileStatus: { type: fileStatus },
        fileProtocol: "xftp",
        ...(filePath && { fileSource: { filePath } }),
      },
    }).file;

  it.each([
    ["rcvInvitation", "offered"],
    ["rcvAborted", "offered"],
    ["rcvAccepted", "downloading"],
    ["rcvTransfer", "downloading"],
    ["rcvWarning", "downloading"],
    ["rcvComplete", "ready"],
    ["rcvCancelled", "cancelled"],
    ["rcvError", "failed"],
    ["sndStored", "uploading"],
    ["sndTransfer", "uploading"],
    ["sndWarning", "uploading"],
    ["sndComplete", "sent"],
    ["sndCancelled", "cancelled"],
    ["sndError", "failed"],
    ["invalid", "failed"],
    ["of a newer core", "failed"],
  ])("in %s is %s", (status, state) => {
    expect(fileOf(status, "/data/files/group-3/7.pdf")?.state).toBe(state);
  });

  it("has its name as it came, its size, its type, and its path once it is there", () => {
    expect(fileOf("rcvComplete", "/data/files/group-3/7.pdf", "image")).toEqual({
      name: "../report.pdf",
      size: 240_000,
      type: "image",
      state: "ready",
      path: "/data/files/group-3/7.pdf",
    });
    expect(fileOf("rcvInvitation", "/data/files/group-3/7.pdf")).not.toHaveProperty("path");
    expect(fileOf("rcvInvitation", undefined, "poll")?.type).toBe("file");
  });

  it("is only offered while it is where the agent may not read", () => {
    const places = [
      "/data/forwarded/group-3/7.pdf",
      "/data/files/../token",
      "/data/files",
      "/data/files-old/7.pdf",
      "voice.m4a",
      undefined,
    ];
    for (const path of places) {
      for (const status of ["rcvComplete", "rcvTransfer"]) {
        expect(fileOf(status, path), path).toMatchObject({ state: "offered" });
        expect(fileOf(status, path), path).not.toHaveProperty("path");
      }
    }
  });
});

describe("a file that the agent was given", () => {
  it("is told by its item, whatever number its file has", () => {
    const file = {
      fileId: 7,
      fileName: "report.pdf",
      fileSize: 1,
      fileSource: { filePath: "/data/forwarded/contact-4/7.pdf" },
      fileStatus: { type: "rcvComplete" },
      fileProtocol: "xftp",
    };
    const path = "/data/files/contact-4/7.pdf";
    const viewer = { ...VIEWER, givenPath: (item: number) => (item === 8 ? path : undefined) };
    const seen = (item: number) => viewItem(chatItem(item, { file }), contactInfo(4), viewer).file;
    expect(seen(8)).toMatchObject({ state: "ready", path });
    expect(seen(7)).toMatchObject({ state: "offered" });
  });
});

describe("a relative path of the core", () => {
  it("is never taken for one below the folder we happen to run in", () => {
    const file = {
      fileId: 7,
      fileName: "x",
      fileSize: 1,
      fileSource: { filePath: "7.pdf" },
      fileStatus: { type: "rcvComplete" },
      fileProtocol: "xftp",
    };
    const viewer = { ...VIEWER, filesFolder: process.cwd() };
    expect(viewItem(chatItem(8, { file }), contactInfo(4), viewer).file?.state).toBe("offered");
  });
});

describe("the recorded messages", () => {
  it("all have the shape that the tools promise", () => {
    let messages = 0;
    for (const name of transcriptNames()) {
      for (const { event, number } of readTranscript(name).lines) {
        const read = event && readEvent(event);
        if (read?.type !== "newChatItems") continue;
        for (const { chatInfo, chatItem: item } of read.chatItems) {
          const view = viewItem(item, chatInfo, VIEWER);
          expect(Message.strict().parse(view), `${name}:${number}`).toEqual(view);
          expect(view.kind === "event", `${name}:${number}`).toBe(!isMessage(item));
          messages += 1;
        }
      }
    }
    expect(messages).toBeGreaterThan(500);
  });
});
