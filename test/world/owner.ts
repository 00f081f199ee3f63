import type { ChatRef } from "../../src/core/types.js";
import type { SeenMessage } from "./inbox.js";
import type { Person } from "./person.js";
import { until } from "./until.js";

/** A person in the agent control chat. */
export class Owner {
  constructor(
    readonly person: Person,
    /** The control chat, as this person's app numbers it. */
    readonly chat: ChatRef,
  ) {}

  /** Joins the control chat by its link, and waits until the app is in. */
  static async join(person: Person, link: string): Promise<Owner> {
    return new Owner(person, await person.join(link));
  }

  /** What the server said, in order; cards in their newest version. */
  get messages(): SeenMessage[] {
    return this.person.inbox.filter(({ chat }) => chat === this.chat);
  }

  /** The newest text of everything that the server said. */
  get cards(): string[] {
    return this.messages.map(({ text }) => text);
  }

  /** Writes a message in the control chat. */
  says(text: string): Promise<number> {
    return this.person.send(this.chat, text);
  }

  /** Waits until a message of the server reads so now. */
  async sees(text: string | RegExp): Promise<SeenMessage> {
    const fits = (message: SeenMessage) =>
      typeof text === "string" ? message.text === text : text.test(message.text);
    return await until(`to ${this.person.name} in the control chat: ${text}`, () => this.messages.find(fits));
  }

  /**
   * Writes a message, and waits until the server says this anew. Unlike `answerTo`, where what was said before may still
   * be on its way: to somebody who was away, as history.
   */
  async isAnswered(text: string, answer: string): Promise<void> {
    const count = () => this.messages.filter((message) => message.text === answer).length;
    const before = count();
    await this.says(text);
    await until(`to ${text}: ${answer}`, () => count() > before || undefined);
  }

  /** The first message of the server that this one did not have before. */
  async answerTo(text: string): Promise<string> {
    const before = this.messages.length;
    await this.says(text);
    return (await until(`an answer to ${text}`, () => this.messages[before])).text;
  }
}
