import { describe, expect, it } from "vitest";
import { ChatInfo, readEvent } from "../../../src/core/types.js";
import { type ChatDescription, describeChat, visibleChat } from "../../../src/messages/chats.js";
import { readTranscript } from "../../contract/transcript.js";
import { contactInfo, groupInfo, SWITCHBACK } from "./make.js";

const LINK = { connFullLink: "simplex:/contact#/?v=2", connShortLink: "https://smp1/a#k" };

describe("a chat", () => {
  it("is a contact, a bot or an agent by its profile, under the name it gave itself", () => {
    for (const [peerType, kind] of [
      [undefined, "contact"],
      ["bot", "bot"],
      ["agent", "agent"],
      ["new", "contact"],
    ]) {
      const info = contactInfo(4, { profile: { displayName: "Ann", peerType } });
      expect(describeChat(info)).toEqual({ chat: "@4", kind, name: "Ann", connected: true });
    }
  });

  it("is a group, a channel, or a business when the other side is one", () => {
    const business = { chatType: "business", businessId: "b", customerId: "c" };
    const kinds = [
      {},
      { useRelays: true },
      { businessChat: business },
      { businessChat: { ...business, chatType: "customer" } },
    ];
    expect(kinds.map((fields) => describeChat(groupInfo(3, fields))?.kind)).toEqual([
      "group",
      "channel",
      "business",
      "group",
    ]);
  });

  it("says whether we are connected, with our role in groups", () => {
    expect(describeChat(groupInfo(3))).toEqual({
      chat: "#3",
      kind: "group",
      name: "Trail",
      connected: true,
      role: "member",
    });
    expect(
      describeChat(groupInfo(3, { membership: { ...SWITCHBACK, memberStatus: "left" } }))?.connected,
    ).toBe(false);
    expect(describeChat(contactInfo(4, { activeConn: undefined }))?.connected).toBe(false);
    expect(describeChat(contactInfo(4, { contactStatus: "deleted" }))?.connected).toBe(false);
  });

  it("has the link it was prepared from as its address, the short one where there is one", () => {
    expect(describeChat(contactInfo(4, { preparedContact: { connLinkToConnect: LINK } }))?.address).toBe(
      LINK.connShortLink,
    );
    const preparedGroup = {
      connLinkToConnect: { connFullLink: LINK.connFullLink },
      connLinkPreparedConnection: true,
      connLinkStartedConnection: true,
    };
    expect(describeChat(groupInfo(3, { preparedGroup }))?.address).toBe(LINK.connFullLink);
  });

  it("is no chat of its own when it is a support chat, notes, or a connection", () => {
    const group = groupInfo(3);
    expect(describeChat({ ...group, groupChatScope: { type: "memberSupport" } } as ChatInfo)).toBe(undefined);
    expect(describeChat(ChatInfo.parse({ type: "local", noteFolder: {} }))).toBe(undefined);
    expect(describeChat(ChatInfo.parse({ type: "of a newer core" }))).toBe(undefined);
  });

  it("is told to the agent with what cannot be seen, and with a name and a role that are not long", () => {
    const chat = describeChat(
      groupInfo(3, {
        groupProfile: { displayName: "Tr\u200Bail\u{E0041}", fullName: "" },
        membership: { ...SWITCHBACK, memberRole: "x".repeat(200) },
      }),
    );
    expect(chat && visibleChat(chat)).toEqual({
      chat: "#3",
      kind: "group",
      name: "Tr\\u{200B}ail\\u{E0041}",
      connected: true,
      role: `${"x".repeat(100)}…`,
    });
  });

  it("of the recordings has the kind that the scenario says", () => {
    const chats = (transcript: string) => {
      const found = new Map<string, ChatDescription>();
      for (const { who, event } of readTranscript(transcript).lines) {
        const read = event && who === "agent" ? readEvent(event) : undefined;
        if (read?.type !== "newChatItems") continue;
        for (const { chatInfo } of read.chatItems) {
          const chat = describeChat(chatInfo);
          if (chat) found.set(chat.name, chat);
        }
      }
      return found;
    };
    expect(chats("04").get("Directory")?.kind).toBe("bot");
    expect(chats("07").get("Ridgeline")?.kind).toBe("business");
    expect(chats("08").get("Trail")?.kind).toBe("group");
  });
});
