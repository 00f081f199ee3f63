import { describe, expect, test } from "vitest";
import type { ActionFields, NamedChat } from "../../../src/actions/action.js";
import {
  fileTexts,
  greeting,
  leaveTexts,
  ownerTexts,
  refusals,
  standingTexts,
} from "../../../src/control/texts/replies.js";

const trail: NamedChat = { chat: "#15", kind: "group", name: "Trail" };
const bob: NamedChat = { chat: "@4", kind: "contact", name: "Bob" };
const send: ActionFields = { ...trail, tool: "send", text: "hi", mentions: [] };
const connect: ActionFields = {
  tool: "connect",
  target: "@x.simplex",
  incognito: false,
  kind: "bot",
  name: "X",
};
const download: ActionFields = {
  ...trail,
  tool: "download",
  item: 30,
  member: "Bob",
  file: { name: "a.pdf", size: 1 },
  unknownServers: [],
};
const member = (groupMemberId: number, displayName: string) => ({
  groupMemberId,
  memberProfile: { displayName },
});
const alice = member(3, "Alice");

test("the first words of the agent say what it asks for", () => {
  expect(greeting).toBe(
    "I'm your agent. I ask here before I connect, send, download a file or leave a chat.",
  );
});

describe("a command that changes nothing", () => {
  test("is answered by why", () => {
    expect(refusals.notPending(12)).toBe("Action 12 is not pending.");
    expect(refusals.notAnOwner).toBe("Only the owners of this chat can do this.");
    expect(refusals.notListed).toBe("Only the owners listed in --owners approve actions.");
    expect(refusals.unknownCommand).toBe("Unknown command. /help");
    expect(refusals.malformed("`/revoke CHAT`")).toBe("Write `/revoke CHAT`. /help");
    expect(refusals.failed("`no`")).toBe("That failed: `ˋnoˋ` (shown with replaced characters).");
    expect(refusals.unknownChat("#9")).toBe("I have no chat `#9`. /list");
  });

  test("for another chat is answered by the right one, or by the commands where there is none", () => {
    expect(refusals.otherChat(12, send)).toBe("Action 12 is for group Trail (#15).");
    expect(refusals.otherChat(12, connect)).toBe("Action 12 is a connection: /'approve 12' or /'reject 12'");
  });

  test("for another kind of action is answered by the commands of its card", () => {
    expect(refusals.wrongKind(12, download)).toBe(
      "Action 12 is a download: /'receive #15 12', /'receive #15 12 all', /'forward #15 12' or /'reject #15 12'",
    );
    expect(refusals.wrongKind(12, send)).toBe(
      "Action 12 is a message: /'approve #15 12', /'approve #15 all', /'reject #15 12' or /'edit #15 12'",
    );
    expect(refusals.wrongKind(12, { ...trail, tool: "leave" })).toBe(
      "Action 12 is to leave a chat: /'approve #15 12' or /'reject #15 12'",
    );
    expect(refusals.unknownServers(12, { ...download, unknownServers: ["a.example"] })).toBe(
      "The servers of action 12 are not known, so each such file needs its approval: " +
        "/'receive #15 12', /'forward #15 12' or /'reject #15 12'",
    );
  });
});

test("standing approvals are told with the command that ends them", () => {
  const now = Date.parse("2026-12-01T12:00:00");
  const at = (hours: number) => now + hours * 3_600_000;
  expect(standingTexts.messagesApproved(trail, "Alice", {}, now)).toBe(
    "Approved for group Trail (#15) by Alice. /'revoke #15'",
  );
  expect(standingTexts.messagesApproved(trail, "Alice", { until: at(2) }, now)).toBe(
    "Approved for group Trail (#15) by Alice until 14:00. /'revoke #15'",
  );
  expect(standingTexts.messagesApproved(trail, "Alice", { until: at(24) }, now)).toBe(
    "Approved for group Trail (#15) by Alice until `2026-12-02 12:00`. /'revoke #15'",
  );
  expect(standingTexts.messagesApproved(trail, "Alice", { left: 10 }, now)).toBe(
    "Approved for group Trail (#15) by Alice for the next 10 messages. /'revoke #15'",
  );
  expect(standingTexts.messagesApproved(trail, "Alice", { left: 1 }, now)).toBe(
    "Approved for group Trail (#15) by Alice for the next message. /'revoke #15'",
  );
  expect(standingTexts.downloadsApproved(trail, "Alice", { left: 2 }, now)).toBe(
    "Downloads approved for group Trail (#15) by Alice for the next 2 downloads. /'receive #15 off'",
  );
  expect(standingTexts.nothingPending(trail)).toBe("No message to group Trail (#15) is pending.");
  expect(standingTexts.renumbered(trail, 12, undefined)).toBe(
    "Another chat had the number of group Trail (#15) before. To approve all for this one: /'approve #15 12 all'",
  );
  expect(standingTexts.renumbered(trail, 12, "2h")).toMatch(/\/'approve #15 12 all 2h'$/);
  expect(standingTexts.messagesEnded(trail)).toBe("Messages to group Trail (#15) need approval again.");
  expect(standingTexts.downloadsApproved(trail, "Alice", {}, now)).toBe(
    "Downloads approved for group Trail (#15) by Alice. /'receive #15 off'",
  );
  expect(standingTexts.downloadsEnded(trail)).toBe("Downloads from group Trail (#15) need approval again.");
});

test("a chat that was left is told with what is kept of it", () => {
  expect(leaveTexts.left(trail, "Alice")).toBe("Left group Trail (#15), requested by Alice.");
  expect(leaveTexts.left(bob, "Alice")).toBe("Deleted contact Bob (@4), requested by Alice.");
  expect(leaveTexts.notLeft(bob, "no connection")).toBe("Deleting contact Bob (@4) failed: `no connection`.");
  expect(leaveTexts.filesKept(trail, "/d/files/group-15", 3, 2_202_010)).toBe(
    "Files from group Trail (#15) are kept in `/d/files/group-15`: 3 files, 2.1 MB. /'delete #15 files'",
  );
  expect(leaveTexts.filesDeleted("#15", 1, 5)).toBe("Deleted 1 file from `#15`, 5 bytes.");
  expect(leaveTexts.filesNotDeleted("#15", "EACCES")).toBe("Deleting the files of `#15` failed: `EACCES`.");
});

test("files that did not get through are told with the error", () => {
  expect(fileTexts.notForwarded(12, "`AUTH`")).toBe(
    "Action 12: the file was not received: `ˋAUTHˋ` (shown with replaced characters).",
  );
  expect(fileTexts.refused(trail, "/home/alice/.ssh/id", "a folder of credentials")).toBe(
    "I wanted to send `/home/alice/.ssh/id` to group Trail (#15). Refused: `a folder of credentials`.",
  );
  expect(fileTexts.notSent(bob, "a.pdf", "QUOTA")).toBe(
    "The file `a.pdf` was not sent to contact Bob (@4): `QUOTA`.",
  );
});

describe("who joins", () => {
  test("is told with the member id", () => {
    expect(ownerTexts.joinedAsOwner(alice)).toBe(
      "Alice joined (member 3) and is now an owner. The link is deleted.",
    );
    expect(ownerTexts.joinedBySameLink(member(4, "Bob"))).toBe(
      "Bob joined by the same link and was removed (member 4).",
    );
    expect(ownerTexts.joinedBySameLink(member(4, "/approve 1"))).toBe(
      "`/approve 1` joined by the same link and was removed (member 4).",
    );
    expect(ownerTexts.owners([alice, member(7, "Bob")])).toBe("Owners: 3:Alice, 7:Bob.");
  });

  test("is told with the option that makes the member an approver, as code in the chat", () => {
    expect(ownerTexts.joinedAsObserver(alice)).toEqual({
      chat: "Alice joined (member 3). Restart the server with `--owners 3:Alice`",
      terminal: "Alice joined (member 3). Restart the server with --owners 3:Alice",
    });
    expect(ownerTexts.notListedYet(member(7, "Bob"), [alice]).terminal).toBe(
      "Bob (member 7) is now an owner and can't approve actions yet. Restart the server with --owners 3:Alice,7:Bob",
    );
    expect(ownerTexts.noListedOwnerLeft(alice).chat).toBe(
      "Alice (member 3) is no longer an owner. No owners remain: restart the server with `--reset-owners --owners`",
    );
  });

  test("is written so that a comma in a name does not part two owners", () => {
    expect(ownerTexts.owners([member(3, "Bob, 7:Eve"), alice])).toBe("Owners: 3:Bob\\u{2C} 7:Eve, 3:Alice.");
  });

  test("gets an option that a shell takes as it is", () => {
    expect(ownerTexts.joinedAsObserver(member(3, "Ann O'Neil; $(id)\n")).terminal).toBe(
      "`Ann O'Neil; $(id)␤` (shown with replaced characters) joined (member 3). " +
        "Restart the server with --owners '3:Ann O'\\''Neil; $(id)␤'",
    );
  });
});
