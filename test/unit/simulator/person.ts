import type { CoreJson } from "../../../src/core/api/chat-api.js";
import { ChatAPIError } from "../../../src/simulator/data/errors.js";
import type { SimulatedNetwork } from "../../../src/simulator/network.js";
import type { SimulatedChatApi } from "../../../src/simulator/user/chat-api.js";

/** A user of the network as a test drives it: by commands, with the events that came. */
export class Person {
  readonly events: CoreJson[] = [];

  constructor(readonly api: SimulatedChatApi) {
    api.onAny((event) => {
      this.events.push(event);
    });
  }

  /** Opens the database of this name, makes its user when it has none, and starts it. */
  static async start(network: SimulatedNetwork, name: string): Promise<Person> {
    const person = new Person(network.open(name));
    const users = await person.run("/users");
    if ((users.users as unknown[]).length === 0) {
      await person.run(
        `/_create user ${JSON.stringify({ profile: { displayName: name, fullName: "" }, pastTimestamp: false })}`,
      );
    }
    await person.api.startChat();
    return person;
  }

  run(command: string): Promise<CoreJson> {
    return this.api.sendChatCmd(command);
  }

  /** The `chatError` of a command that fails. */
  async failing(command: string): Promise<CoreJson> {
    try {
      await this.run(command);
    } catch (error) {
      if (error instanceof ChatAPIError) return error.chatError;
      throw error;
    }
    throw new Error(`${command} was answered`);
  }

  say(chat: string, text: string): Promise<CoreJson> {
    return this.run(`/_send ${chat} json ${JSON.stringify([{ msgContent: { type: "text", text } }])}`);
  }

  /** The texts of the received messages of a chat, the newest last. */
  async heard(chat: string): Promise<string[]> {
    const { chat: page } = await this.run(`/_get chat ${chat} count=1000`);
    const { chatItems } = page as {
      chatItems: Array<{ content: { type: string }; meta: { itemText: string } }>;
    };
    return chatItems
      .filter(({ content }) => content.type === "rcvMsgContent")
      .map(({ meta }) => meta.itemText);
  }

  /** The types of the events that came, without those about connections to servers. */
  get types(): string[] {
    return this.events
      .map(({ type }) => type)
      .filter((type) => !/^host|^subscription|^connectionsDiff/.test(type));
  }

  async leave(): Promise<void> {
    await this.api.stopChat();
    await this.api.close();
  }
}

/** Connects two people by a one-time invitation; both have the other as `@4`, the first after the presets. */
export async function connect(network: SimulatedNetwork, one: Person, other: Person): Promise<void> {
  const { connLinkInvitation } = await one.run("/_connect 1 incognito=off");
  await other.run(
    `/_connect 1 incognito=off ${(connLinkInvitation as { connFullLink: string }).connFullLink}`,
  );
  await network.idle();
}
