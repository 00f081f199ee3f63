import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { type ChatRef, readEvent } from "../../src/core/types.js";
import type { AgentOptions } from "../world/agent.js";
import type { TestClient } from "../world/client.js";
import { fileFor, type SeenFile, sendFile, uploadedTo } from "../world/files.js";
import type { Owner } from "../world/owner.js";
import type { SimulatedWorld } from "../world/simulated.js";
import type { World } from "../world/world.js";
import { type Trail, trail } from "./trail.js";

/** The group Trail, and a folder outside the agent's for the files of its people. */
export interface FileScene extends Trail {
  outside: string;
  /** Makes a file there; resolves with its path. */
  put: (name: string, content: string | Buffer) => Promise<string>;
  /** Switchback posts a file. Resolves with what the agent sees of it, once it is uploaded. */
  post: (name: string, content: string | Buffer, message?: object) => Promise<SeenFile>;
  /** As `post`, but nothing is waited for besides the message. */
  offer: (name: string, content: string | Buffer, message?: object) => Promise<SeenFile>;
  /** The folder of what the agent downloaded from the group. */
  files: string;
  forwarded: string;
}

export async function fileScene(world: World, options: AgentOptions = {}): Promise<FileScene> {
  const scene = await trail(world, options);
  const { agent, switchback, switchbacks, chat } = scene;
  const outside = join(dirname(agent.folder), "outside");
  await mkdir(outside);
  const put = async (name: string, content: string | Buffer) => {
    const path = join(outside, name);
    await writeFile(path, content);
    return path;
  };
  const offer: FileScene["offer"] = async (name, content, message) => {
    await sendFile(switchback, switchbacks, await put(name, content), message);
    const file = await fileFor(await agent.hands(), name);
    return file;
  };
  const post: FileScene["post"] = async (name, content, message) => {
    const file = await offer(name, content, message);
    await uploadedTo(await agent.hands(), file);
    await world.settle();
    agent.newCommands();
    return file;
  };
  const folder = (place: string) => join(agent.folder, place, `group-${chat.slice(1)}`);
  return { ...scene, outside, put, offer, post, files: folder("files"), forwarded: folder("forwarded") };
}

/** All files below a folder, sorted; none where there is no folder. */
export async function below(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();
  } catch {
    return [];
  }
}

/** A download card before and after the decision of Alice. `what`: from whom, and the file. */
export function downloadCards(chat: ChatRef, number: number, what: string, { known = true } = {}) {
  const all = known ? `/'receive ${chat} ${number} all', ` : "";
  const commands = `/'receive ${chat} ${number}', ${all}/'forward ${chat} ${number}' or /'reject ${chat} ${number}'`;
  return {
    pending: `I want to download a file from ${what}\n${commands}`,
    done: `I downloaded a file from ${what}\nApproved by Alice.`,
    not: (ending: string) => `I wanted to download a file from ${what}\n${ending}`,
  };
}

const Page = z.object({
  messages: z.array(z.object({ item: z.number(), file: z.record(z.string(), z.unknown()).optional() })),
});

/** The file of a message as the agent sees it. */
export async function shownFile(
  client: TestClient,
  chat: ChatRef,
  item: number,
): Promise<Record<string, unknown> | undefined> {
  const { data, text } = await client.use("history", { chat, around: item, limit: 1 });
  const found = Page.safeParse(data).data?.messages.find((message) => message.item === item);
  if (!found) throw new Error(`there is no message ${item} in ${text}`);
  return found.file;
}

/** A file server that nobody here has but who is given it. */
export const OTHER_SERVER = "xftp://PNJmMjGLmSKgKBHMSrHfHTvJRZMqbaYCBxOcZxJmXUY=@files.example";

/** Commands that change something, without those that only look. */
export function writing(commands: readonly string[]): string[] {
  return commands.filter(
    (command) => !/^\/(_get|_servers|_members|_groups|_contacts|_show_address)\b/.test(command),
  );
}

/** The picture of a message in the control chat. */
export function pictureOf({ person }: Owner, item: number): string | undefined {
  for (const raw of person.events) {
    const event = readEvent(raw);
    if (event?.type !== "newChatItems") continue;
    for (const { chatItem } of event.chatItems) {
      const { content, meta } = chatItem;
      if (meta.itemId === item && "msgContent" in content) return content.msgContent.image;
    }
  }
  return undefined;
}

/** 2.4 MB, in chunks of 40, 40, 10 and 10 percent. */
export const REPORT = Buffer.from(Array.from({ length: 2_500_000 }, (_, at) => (at * at) % 251));

/** What a card says of the report in the group. */
export const reportFrom = (chat: ChatRef, servers = "known"): string =>
  `Switchback in group Trail (${chat}): \`report.pdf\`, 2.4 MB. Servers: ${servers}.`;

/** The report on its way to the agent, approved by action 1: 40 percent came, the rest is held back. */
export async function downloadHeld(world: SimulatedWorld) {
  const scene = await fileScene(world);
  const { agent, owner, chat } = scene;
  const { item, fileId } = await scene.post("report.pdf", REPORT);
  const downloads = world.network.files.holdDownloads();
  const call = (await agent.client("modern")).call("download", { chat, item });
  await owner.sees(/^I want to download/);
  await owner.says(`/receive ${chat} 1`);
  downloads.pass();
  await call.progressed("Downloading: 40% of 2.4 MB.");
  return { ...scene, item, fileId, downloads, call };
}
