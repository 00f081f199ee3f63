import type { CoreJson } from "../../src/core/api/chat-api.js";
import { holding, makeSentFiles } from "./plan-files.js";
import type { Plan } from "./replay.js";
import { readTranscript } from "./transcript.js";
import type { World } from "./world.js";

const BOT = { fullName: "", peerType: "bot" };

/** The steps that the recordings of the flows leave out. */
export const FLOW_PLANS: Record<string, Plan> = {
  "00-world": {
    setUp: async (world) => {
      for (const who of ["Alice", "Bob", "Switchback", "Hazel"]) await world.newUser(who);
      await world.newUser("Directory", { displayName: "Directory", ...BOT });
      await world.newUser("Ridgeline");
      await world.newUser("Echo", { displayName: "Echo", ...BOT });
    },
  },
  "01-first-start": {
    setUp: async (world) => world.open("agent"),
    before: { 9: async (world) => void (await world.start("agent")) },
  },
  "02-owner-joins": {},
  "03-card-and-approval": {},
  "04-connect-bot": {},
  "05-connect-bot-with-message": {
    before: { 13: async (world) => sendText(world, "Echo", "@4", "echo: hello from the agent") },
  },
  "06-connect-direct": {},
  "07-connect-business": {},
  "08-join-group": {},
  "09-group-messages": {
    probe: ({ who, probe, result, error }) => {
      const [, length] = /^(?:group|direct incompressible) text length (\d+)$/.exec(probe ?? "") ?? [];
      if (who === undefined || probe === undefined || length === undefined) return [];
      const group = probe.startsWith("group");
      const text = group ? "x".repeat(Number(length)) : scrambled(Number(length));
      const cmd = sendCommand(group ? "#3" : "@4", text);
      return [{ who, cmd, ...(result === "ERROR" ? { error } : { type: String(result) }) }];
    },
  },
  "10-receive-file": {
    before: {
      2: async (world) => {
        makeSentFiles(world, "10");
        world.makeFolder("/DATA/files/group-3");
      },
      // The agent received the third file before it was uploaded, and the fourth was cancelled meanwhile.
      ...holding("Uploads", "Switchback", 52, 60),
      ...holding("Uploads", "Switchback", 71, 95),
      ...holding("Downloads", "agent", 18, 22),
      21: async (world) => sendText(world, "Directory", "@4", receivedText("10", 21)),
    },
  },
  "11-send-file": {
    before: { 2: async (world) => makeSentFiles(world, "11") },
  },
  "12-owners": {
    before: {
      2: async (world) => sendText(world, "Directory", "@4", "Found 1 group for "),
      3: async (world) => connectByInvitation(world, "Alice", "Bob"),
    },
  },
  "13-leave-and-delete": {},
  "14-stop-restart": {
    before: {
      6: async (world) => world.stop("agent"),
      7: async (world) => world.closeUser("agent"),
      10: async (world) => world.open("agent"),
    },
  },
  "15-simplex-name": {
    setUp: async (world) => {
      await world.newUser("Directory", { displayName: "Directory", ...BOT });
      const link = await makeAddress(world, "Directory", {
        businessAddress: false,
        autoAccept: { acceptIncognito: false },
        autoReply: { type: "text", text: "Welcome to the directory." },
      });
      world.network.registerName("directory.testing", { contact: link });
      await world.newUser("My Agent", { displayName: "My Agent", ...BOT });
    },
  },
  "30-connect-direct-group": {
    setUp: async (world) => {
      await world.newUser("Hazel");
      await world.newUser("Ridgeline");
      await world.newUser("My Agent", { displayName: "My Agent", ...BOT });
    },
    before: {
      5: async (world) => {
        await makeGroup(
          world,
          "Hazel",
          { displayName: "Trail", groupPreferences: { history: { enable: "on" } } },
          linkAt("30", 11),
        );
        await world.run("Hazel", sendCommand("#1", "old message"));
      },
      9: async (world) => {
        const link = await makeAddress(world, "Ridgeline", {
          businessAddress: true,
          autoAccept: { acceptIncognito: false },
          autoReply: { type: "text", text: "Ridgeline here." },
        });
        world.translation.pairLinks(linkAt("30", 26), link);
      },
      44: async (world) => makeGroup(world, "Hazel", { displayName: "Later" }, linkAt("30", 47)),
      47: async (world) => {
        await world.idle();
        await world.stop("Hazel");
        await world.closeUser("Hazel");
      },
      52: async (world) => {
        world.open("Hazel");
        await world.start("Hazel");
      },
    },
  },
};

/** The short link in the command of a line. */
export function linkAt(recording: string, line: number): string {
  const command = readTranscript(recording).lines[line - 1]?.cmd ?? "";
  const link = /https:\/\/\S+/.exec(command)?.[0];
  if (link === undefined) throw new Error(`No link in line ${line} of ${recording}: ${command}`);
  return link;
}

export function sendCommand(chat: string, text: string): string {
  return `/_send ${chat} json ${JSON.stringify([{ msgContent: { type: "text", text } }])}`;
}

/** `chat` as in the recording. */
export async function sendText(world: World, who: string, chat: string, text: string): Promise<void> {
  await world.say(who, sendCommand(chat, text));
}

/** Makes an address with these settings and gives its short link. */
export async function makeAddress(world: World, who: string, settings: object): Promise<string> {
  const created = await world.run(who, "/_address 1");
  await world.run(who, `/_address_settings 1 ${JSON.stringify(settings)}`);
  return shortLink(created, "connLinkContact");
}

/** Makes a user's next group and its link, which is `recordedLink` in the recording. */
export async function makeGroup(
  world: World,
  who: string,
  profile: object,
  recordedLink: string,
): Promise<void> {
  const group = await world.run(who, `/_group 1 ${JSON.stringify({ fullName: "", ...profile })}`);
  const { groupId } = group.groupInfo as { groupId: number };
  const created = await world.run(who, `/_create link #${groupId} member`);
  world.translation.pairLinks(recordedLink, shortLink(created.groupLink as CoreJson, "connLinkContact"));
}

/** `inviter` makes a one-time invitation and `guest` uses it. */
export async function connectByInvitation(world: World, inviter: string, guest: string): Promise<void> {
  const { connLinkInvitation } = await world.run(inviter, "/_connect 1 incognito=off");
  const { connFullLink, connShortLink } = connLinkInvitation as {
    connFullLink: string;
    connShortLink: string;
  };
  await world.run(guest, `/_connect plan 1 ${connShortLink}`);
  await world.run(guest, `/_connect 1 incognito=off ${connFullLink} ${connShortLink}`);
}

function shortLink(answer: Record<string, unknown>, key: string): string {
  return (answer[key] as { connShortLink: string }).connShortLink;
}

/** The text that the recording's direct messages had: as long as told, hard to compress. */
function scrambled(length: number): string {
  const text = receivedText("09", 83);
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** The text of the message that arrived in this line. */
export function receivedText(recording: string, line: number): string {
  const items = readTranscript(recording).lines[line - 1]?.event?.chatItems as ReceivedItem[] | undefined;
  return items?.[0]?.chatItem.meta.itemText ?? "";
}

interface ReceivedItem {
  chatItem: { meta: { itemText: string } };
}
