import { describe, expect, it } from "vitest";
import { commands } from "../../../src/core/commands.js";
import { isNotALink } from "../../../src/core/errors/errors.js";
import { readTranscript, transcriptNames } from "../../contract/transcript.js";

const LINK = { connFullLink: "simplex:/contact#/?v=2-7&smp=x", connShortLink: "https://smp1/a#key" };
const GROUP = { displayName: "Agent", fullName: "" };
const TEXT = { msgContent: { type: "text" as const, text: "two\nlines" } };

/** Each command with the string that the core gets. */
const STRINGS: [made: string, expected: string][] = [
  [commands.activeUser(), "/user"],
  [
    commands.createUser({ ...GROUP, peerType: "bot" }),
    '/_create user {"profile":{"displayName":"Agent","fullName":"","peerType":"bot"},"pastTimestamp":false}',
  ],
  [commands.network(undefined), "/network socks=off smp-proxy=always smp-proxy-fallback=protected"],
  [
    commands.network("127.0.0.1:9050"),
    "/network socks=127.0.0.1:9050 smp-proxy=always smp-proxy-fallback=protected",
  ],
  [commands.tempFolder("/world/agent tmp"), "/_temp_folder /world/agent tmp"],
  [commands.version(), "/version"],
  [commands.smpServers(["smp://a@host:1", "smp://b@host"]), "/smp smp://a@host:1 smp://b@host"],
  [commands.xftpServers(["xftp://a@host"]), "/xftp xftp://a@host"],
  [commands.userServers(1), "/_servers 1"],
  [commands.groups(1), "/_groups 1"],
  [commands.contacts(1), "/_contacts 1"],
  [commands.members(3), "/_members #3"],
  [commands.chats(1, {}), "/_get chats 1"],
  [commands.chats(1, { count: 20 }), "/_get chats 1 count=20"],
  [commands.chats(1, { count: 20, pending: true }), "/_get chats 1 pcc=on count=20"],
  [
    commands.chats(1, { count: 5, before: "2026-11-30T15:10:47.3Z" }),
    "/_get chats 1 before=2026-11-30T15:10:47.3Z count=5",
  ],
  [
    commands.chats(1, { after: "2026-11-30T15:10:47.3Z" }),
    "/_get chats 1 after=2026-11-30T15:10:47.3Z count=5000",
  ],
  [
    commands.chats(1, { count: 20, unread: true }),
    '/_get chats 1 count=20 {"type":"filters","favorite":false,"unread":true}',
  ],
  [
    commands.chats(1, { count: 20, search: "Trail" }),
    '/_get chats 1 count=20 {"type":"search","search":"Trail"}',
  ],
  [commands.newGroup(1, GROUP), '/_group 1 {"displayName":"Agent","fullName":""}'],
  [commands.groupProfile(1, GROUP), '/_group_profile #1 {"displayName":"Agent","fullName":""}'],
  [
    commands.customData("#1", { simplexMcp: { control: true } }),
    '/_set custom #1 {"simplexMcp":{"control":true}}',
  ],
  [commands.customData("#1", undefined), "/_set custom #1"],
  [commands.createLink(1, "member"), "/_create link #1 member"],
  [commands.groupLink(1), "/_get link #1"],
  [commands.deleteLink(1), "/_delete link #1"],
  [commands.memberRole(1, [2, 3], "member"), "/_member role #1 2,3 member"],
  [commands.memberRole(1, [3], "owner"), "/_member role #1 3 owner"],
  [commands.remove(1, [3]), "/_remove #1 3"],
  [commands.leave(1), "/_leave #1"],
  [commands.deleteChat("#1", true), "/_delete #1 full notify=on"],
  [commands.deleteChat("@4", false), "/_delete @4 full notify=off"],
  [commands.deleteConnection(9), "/_delete :9"],
  [commands.connectPlan(1, "@directory.testing"), "/_connect plan 1 @directory.testing"],
  [
    commands.prepareContact(1, LINK, { profile: GROUP, business: false }),
    '/_prepare contact 1 simplex:/contact#/?v=2-7&smp=x https://smp1/a#key {"profile":{"displayName":"Agent","fullName":""},"business":false}',
  ],
  [
    commands.prepareContact(1, { connFullLink: LINK.connFullLink }, {}, "directory.simplex"),
    "/_prepare contact 1 simplex:/contact#/?v=2-7&smp=x domain=directory.simplex {}",
  ],
  [
    commands.prepareGroup(1, LINK, true, { groupProfile: GROUP }),
    '/_prepare group 1 simplex:/contact#/?v=2-7&smp=x https://smp1/a#key direct=on {"groupProfile":{"displayName":"Agent","fullName":""}}',
  ],
  [commands.connectContact(4, false), "/_connect contact @4 incognito=off"],
  [
    commands.connectContact(4, true, 'say "hi"'),
    '/_connect contact @4 incognito=on json {"type":"text","text":"say \\"hi\\""}',
  ],
  [commands.connectGroup(7, false), "/_connect group #7 incognito=off"],
  [
    commands.connectGroup(7, false, "hi"),
    '/_connect group #7 incognito=off json {"type":"text","text":"hi"}',
  ],
  [
    commands.connectLink(1, false, LINK),
    "/_connect 1 incognito=off simplex:/contact#/?v=2-7&smp=x https://smp1/a#key",
  ],
  [commands.connectViaAddress(1, true, 6), "/_connect contact 1 incognito=on 6"],
  [commands.showAddress(1), "/_show_address 1"],
  [commands.createAddress(1), "/_address 1"],
  [commands.addressSettings(1, { businessAddress: false }), '/_address_settings 1 {"businessAddress":false}'],
  [
    commands.addressSettings(1, { businessAddress: false, autoAccept: { acceptIncognito: false } }),
    '/_address_settings 1 {"businessAddress":false,"autoAccept":{"acceptIncognito":false}}',
  ],
  [commands.deleteAddress(1), "/_delete_address 1"],
  [commands.createInvitation(1), "/_connect 1 incognito=off"],
  [commands.acceptRequest(3), "/_accept 3"],
  [commands.rejectRequest(3), "/_reject 3"],
  [commands.acceptMemberContact(8), "/_accept member contact @8"],
  [commands.autoAcceptMemberContacts(1, true), "/_set accept member contacts 1 on"],
  [commands.joinGroup(9), "/_join #9"],
  [commands.chat("#1", { count: 50 }), "/_get chat #1 count=50"],
  [commands.chat("#1", { count: 100, after: 7 }), "/_get chat #1 after=7 count=100"],
  [commands.chat("#1", { before: 7, count: 100 }), "/_get chat #1 before=7 count=100"],
  [commands.chat("@4", { around: 7, count: 0 }), "/_get chat @4 around=7 count=0"],
  [commands.chat("#1", { initial: 1 }), "/_get chat #1 initial=1"],
  [commands.chat("#1", { count: 50 }, "old two"), "/_get chat #1 count=50 search=old two"],
  [commands.chat("#1", { count: 50 }, ""), "/_get chat #1 count=50"],
  [commands.readItems("#1", [5, 6, 8]), "/_read chat items #1 5,6,8"],
  [commands.itemInfo("#1", 5), "/_get item info #1 5"],
  [commands.send("#1", [TEXT]), '/_send #1 json [{"msgContent":{"type":"text","text":"two\\nlines"}}]'],
  [
    commands.send("#1", [{ ...TEXT, quotedItemId: 8, mentions: { Ann: 5 } }]),
    '/_send #1 json [{"msgContent":{"type":"text","text":"two\\nlines"},"quotedItemId":8,"mentions":{"Ann":5}}]',
  ],
  [
    commands.updateItem("#1", 33, TEXT),
    '/_update item #1 33 json {"msgContent":{"type":"text","text":"two\\nlines"},"mentions":{}}',
  ],
  [commands.deleteItems("#1", [1, 2], "broadcast"), "/_delete item #1 1,2 broadcast"],
  [commands.receiveFile(7, {}), "/freceive 7 encrypt=off"],
  [commands.receiveFile(7, { path: "/world/a b.pdf" }), "/freceive 7 encrypt=off /world/a b.pdf"],
  [
    commands.receiveFile(7, { path: "/world/f.bin", approvedRelays: true }),
    "/freceive 7 approved_relays=on encrypt=off /world/f.bin",
  ],
  [commands.cancelFile(7), "/fcancel 7"],
  [
    commands.undelivered(["RENDLW9ocmhmSHNWWi0zRw==", "RG5zdGFfMklPZ2ZKTGJVYw=="]),
    "/sql agent SELECT count(1) FROM snd_message_deliveries WHERE failed = 0 AND conn_id IN (x'4443432d6f6872686648735" +
      "65a2d3347',x'446e7374615f32494f67664a4c625563')",
  ],
];

/** Commands of one form differ in their numbers, links, texts and JSON only. */
function formOf(command: string): string {
  return command
    .replace(/ [[{][\s\S]*$/, " JSON")
    .replace(/ search=.+$/, " search=TEXT")
    .replace(/\d{4}-\d\d-\S+/g, "TIME")
    .replace(/(smp|xftp|simplex|https):\/\S+/g, "LINK")
    .replace(/ \/.*$/, " PATH")
    .replace(/@[a-z]\S+/, "NAME")
    .replace(/\(x'.*\)/, "(BLOBS)")
    .replace(/[@#]\d+/, "CHAT")
    .replace(/\d+(,\d+)+/g, "N")
    .replace(/\d+/g, "N");
}

describe("the command strings", () => {
  it.each(STRINGS)("%s", (made, expected) => {
    expect(made).toBe(expected);
  });

  it("have forms that the real core was seen to answer, but for a few", () => {
    const answered = new Set<string>();
    for (const name of transcriptNames()) {
      for (const { cmd, resp } of readTranscript(name).lines) if (cmd && resp) answered.add(formOf(cmd));
    }
    const unseen = new Set(STRINGS.map(([made]) => formOf(made)).filter((form) => !answered.has(form)));
    expect([...unseen]).toEqual([
      "/network socks=N.N.N.N:N smp-proxy=always smp-proxy-fallback=protected",
      "/version",
      "/smp LINK LINK",
      "/_get link CHAT",
      "/_prepare contact N LINK domain=directory.simplex JSON",
      "/_connect contact N incognito=on N",
    ]);
  });

  it("take no target of two words, so that it cannot bring arguments of its own", () => {
    for (const target of ["@a.simplex resolve=on", "", "https://x/a#k\nmore", "a\0b"]) {
      expect(() => commands.connectPlan(1, target)).toThrow(
        expect.toSatisfy(isNotALink, "an error that says it is no link"),
      );
    }
  });

  it("take no server or proxy of two words", () => {
    expect(() => commands.network("localhost:9050 log=on")).toThrow(RangeError);
    expect(() => commands.smpServers(["smp://a@host /sql"])).toThrow(RangeError);
  });

  it("search for all of a text that holds NUL, which would end the command", () => {
    expect(commands.chat("#1", { count: 1 }, "a\0b")).toBe("/_get chat #1 count=1 search=ab");
  });
});
