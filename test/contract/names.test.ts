import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CoreJson } from "../../src/core/api/chat-api.js";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import type { SimulatedChatApi } from "../../src/simulator/user/chat-api.js";
import { type Line, readTranscript } from "./transcript.js";

const { lines } = readTranscript("17");
const own = lines.filter(({ probe }) => probe === "group name");
const peers = lines.filter(({ probe }) => probe === "peer name");
const mentions = lines.filter(({ probe }) => probe === "mention");

/** The name of a peer before its database is changed by hand, as the recording's were. */
const placeholder = (at: number) => `Peer number ${at}`;
const nameOf = (line: Line) => (line.contact as { displayName: string }).displayName;

const folder = mkdtempSync(join(tmpdir(), "names-"));
let agent: SimulatedChatApi;
let network: SimulatedNetwork;
/** What the agent got. */
const events: CoreJson[] = [];
const last = (type: string): unknown => events.findLast((event) => event.type === type) ?? {};
afterAll(() => rmSync(folder, { recursive: true }));

async function newUser(name: string, database: string): Promise<SimulatedChatApi> {
  const api = network.open(database);
  await api.sendChatCmd(
    `/_create user {"profile":{"displayName":"${name}","fullName":""},"pastTimestamp":false}`,
  );
  return api;
}

/** The outcome of a command as the probes tell it. */
async function outcome(command: string): Promise<{ answer?: CoreJson; error?: unknown }> {
  try {
    return { answer: await agent.sendChatCmd(command) };
  } catch (error) {
    return { error: (error as { chatError: unknown }).chatError };
  }
}

beforeAll(async () => {
  network = new SimulatedNetwork({ seed: 3 });
  await newUser("My Agent", "agent");
  for (const [at] of peers.entries()) await newUser(placeholder(at), `peer${at}`);
  const saved = join(folder, "network.json");
  network.save(saved);
  const changed = peers.reduceRight(
    (text, line, at) => {
      return text.replaceAll(JSON.stringify(placeholder(at)), JSON.stringify(nameOf(line)));
    },
    readFileSync(saved, "utf8"),
  );
  writeFileSync(saved, changed);
  network = SimulatedNetwork.load(saved);
  agent = network.open("agent");
  agent.onAny((event) => events.push(event));
  await agent.startChat();
});

describe("names of our own", () => {
  for (const { name, result, localDisplayName, error } of own) {
    it(`${result === "ERROR" ? "refuses" : "takes"} ${JSON.stringify(name)} for a group`, async () => {
      const given = await outcome(`/_group 1 ${JSON.stringify({ displayName: name, fullName: "" })}`);
      expect(given.error).toEqual(error);
      expect((given.answer?.groupInfo as { localDisplayName?: string } | undefined)?.localDisplayName).toBe(
        localDisplayName,
      );
    });
  }

  for (const { cmd, error } of lines) {
    if (cmd === undefined || error === undefined) continue;
    it(`refuses ${cmd.slice(0, 80)}`, async () => {
      expect(await outcome(cmd)).toEqual({ error });
    });
  }
});

describe("names of peers", () => {
  let group = 0;
  let contactLink = { connFullLink: "", connShortLink: "" };
  let groupLink = contactLink;

  beforeAll(async () => {
    const created = await agent.sendChatCmd(
      '/_group 1 {"displayName":"Names","fullName":"","groupPreferences":{"directMessages":{"enable":"on"},"history":{"enable":"on"}}}',
    );
    group = (created.groupInfo as { groupId: number }).groupId;
    const link = await agent.sendChatCmd(`/_create link #${group} member`);
    groupLink = (link.groupLink as { connLinkContact: typeof groupLink }).connLinkContact;
    const address = await agent.sendChatCmd("/_address 1");
    contactLink = address.connLinkContact as typeof contactLink;
    await agent.sendChatCmd(
      '/_address_settings 1 {"businessAddress":false,"autoAccept":{"acceptIncognito":false}}',
    );
  });

  for (const [at, line] of peers.entries()) {
    const name = nameOf(line);
    it(`arrive unchanged: ${JSON.stringify(name.slice(0, 60))}`, async () => {
      const peer = network.open(`peer${at}`);
      await peer.startChat();
      for (const { connFullLink, connShortLink } of [contactLink, groupLink]) {
        await peer.sendChatCmd(`/_connect 1 incognito=off ${connFullLink} ${connShortLink}`);
        await network.idle();
      }
      // As they were when they came: later the member takes the local name of the contact.
      const { contact } = last("contactConnected") as { contact: Named };
      const { member } = last("joinedGroupMember") as unknown as { member: Member };
      expect(namesOf(contact.profile, contact)).toEqual(line.contact);
      expect(namesOf(member.memberProfile, member)).toEqual(line.member);

      const probe = mentions[at];
      for (const [text, result, error] of [
        [`@'${name}' hello`, probe?.quoted, probe?.quotedError],
        [`@${name} hello`, probe?.plain, probe?.plainError],
      ]) {
        const message = { msgContent: { type: "text", text }, mentions: { [name]: member.groupMemberId } };
        const given = await outcome(`/_send #${group} json ${JSON.stringify([message])}`);
        expect([text, given.error ?? given.answer?.type]).toEqual([text, error ?? result]);
      }
      await peer.close();
    });
  }
});

interface Named {
  localDisplayName: string;
  profile: { displayName: string };
}

interface Member {
  groupMemberId: number;
  localDisplayName: string;
  memberProfile: { displayName: string };
}

function namesOf(
  { displayName }: { displayName: string },
  { localDisplayName }: { localDisplayName: string },
) {
  return { displayName, localDisplayName };
}
