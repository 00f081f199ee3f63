import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CoreJson } from "../../../../src/core/api/chat-api.js";
import { SimulatedNetwork } from "../../../../src/simulator/network.js";
import type { SimulatedChatApi } from "../../../../src/simulator/user/chat-api.js";
import { FakeClock } from "../../../world/clock.js";

interface FileItem {
  chatItem: {
    meta: { itemId: number };
    file: { fileId: number; fileStatus: CoreJson; fileSource?: { filePath: string } };
  };
}

export const fileOf = (answer: CoreJson): FileItem["chatItem"]["file"] => {
  const [item = answer.chatItem] = (answer.chatItems ?? []) as FileItem[];
  return (item as FileItem).chatItem.file;
};

/** A user of a network as a test drives it. */
export class FileUser {
  readonly events: CoreJson[] = [];

  constructor(private readonly api: SimulatedChatApi) {
    api.onAny((event) => {
      this.events.push(event);
    });
  }

  run(command: string): Promise<CoreJson> {
    return this.api.sendChatCmd(command);
  }

  /** The core's error, without its outer type. */
  async fails(command: string): Promise<unknown> {
    try {
      await this.run(command);
    } catch (error) {
      const { errorType, storeError } = (error as { chatError: CoreJson }).chatError;
      return errorType ?? storeError;
    }
    throw new Error(`${command} was answered`);
  }

  async start(): Promise<void> {
    await this.api.startChat();
  }

  async close(): Promise<void> {
    await this.api.close();
  }

  sendFile(chat: string, filePath: string, content: object = { type: "file", text: "" }): Promise<CoreJson> {
    return this.run(
      `/_send ${chat} json ${JSON.stringify([{ fileSource: { filePath }, msgContent: content }])}`,
    );
  }

  /** Events about files and messages, in short. */
  get heard(): string[] {
    return this.events
      .filter(({ type }) => /^(rcv|snd)File|^newChatItems|^chatItem(Updated|sDeleted)/.test(type))
      .map(({ type }) => type);
  }

  /** The events of a type. */
  of(type: string): CoreJson[] {
    return this.events.filter((event) => event.type === type);
  }
}

/** Two people with a direct chat, `@4` for both, on a network whose clock stands still, and a folder of their own. */
export class FileWorld {
  readonly folder = mkdtempSync(join(tmpdir(), "files-"));
  readonly clock = new FakeClock({ settle: () => this.idle() });
  network = new SimulatedNetwork({ clock: this.clock, seed: 3 });

  static async make(): Promise<{ world: FileWorld; ann: FileUser; bob: FileUser }> {
    const world = new FileWorld();
    const [ann, bob] = [await world.user("Ann"), await world.user("Bob")];
    const { connLinkInvitation } = await ann.run("/_connect 1");
    await bob.run(`/_connect 1 ${(connLinkInvitation as { connFullLink: string }).connFullLink}`);
    await world.idle();
    for (const { events } of [ann, bob]) events.length = 0;
    return { world, ann, bob };
  }

  async user(name: string): Promise<FileUser> {
    const user = this.open(name);
    const profile = { displayName: name, fullName: "" };
    await user.run(`/_create user ${JSON.stringify({ profile, pastTimestamp: false })}`);
    await user.start();
    return user;
  }

  open(name: string): FileUser {
    return new FileUser(this.network.open(name));
  }

  /** Saves everything, and opens it as another process would. */
  reload(): void {
    const path = join(this.folder, "saved.json");
    this.network.save(path);
    this.network = SimulatedNetwork.load(path, { clock: this.clock });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  file(name: string, content: string | Buffer = `the content of ${name}`): string {
    const path = this.path(name);
    writeFileSync(path, content);
    return path;
  }

  makeFolder(name: string): string {
    mkdirSync(this.path(name));
    return this.path(name);
  }

  idle(): Promise<void> {
    return this.network.idle();
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The state of the file of an item. */
export const statusOf = async (user: FileUser, item: number): Promise<unknown> => {
  const { chat } = await user.run(`/_get chat @4 around=${item} count=0`);
  const [found] = (chat as { chatItems: { file: { fileStatus: unknown } }[] }).chatItems;
  return found?.file.fileStatus;
};

/** The item of the last file that came. */
export const lastItem = (user: FileUser): number => {
  const { chatItems } = user.of("newChatItems").at(-1) as unknown as {
    chatItems: { chatItem: { meta: { itemId: number } } }[];
  };
  return chatItems.at(-1)?.chatItem.meta.itemId ?? 0;
};
