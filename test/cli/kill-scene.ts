import type { CoreJson } from "../../src/core/api/chat-api.js";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import { numberAt } from "../world/json.js";
import { Person } from "../world/person.js";
import { RecordedApi } from "../world/recorded-api.js";

/** How a program that was told to die with a command dies: before its core has it, or after. */
export type Moment = "before" | "after";

/** A network whose databases live on when a program is killed, with a log of what the program's core was told. */
export class SurvivingNetwork extends SimulatedNetwork {
  /** What the cores of the program did, over all its lives. */
  readonly done: string[] = [];
  readonly #people = new Set<string>();
  #death: { left: number; moment: Moment; kill: () => void } | undefined;
  /** The api of the program that lives. */
  #living: object | undefined;

  override open(database: string): ReturnType<SimulatedNetwork["open"]> {
    const api = super.open(database);
    if (this.#people.has(database)) return api;
    this.#living = api;
    const run = api.sendChatCmd.bind(api);
    api.sendChatCmd = async (command: string): Promise<CoreJson> => {
      const moment = this.#countDown();
      if (this.#living !== api || moment === "before") {
        this.#die(moment);
        // A dead program gets no answer.
        return await new Promise(() => undefined);
      }
      this.done.push(command);
      const answer = run(command);
      this.#die(moment);
      return await answer.catch((error: unknown) => {
        if (this.#living === api) throw error;
        return new Promise<never>(() => undefined);
      });
    };
    return api;
  }

  /** Kills the program with the command that comes as the `count`th from now. */
  killAt(count: number, moment: Moment, kill: () => void): void {
    this.#death = { left: count, moment, kill };
  }

  async person(name: string): Promise<Person> {
    this.#people.add(name);
    const api = new RecordedApi(this.open(name));
    const user = { profile: { displayName: name, fullName: "" }, pastTimestamp: false };
    const made = await api.sendChatCmd(`/_create user ${JSON.stringify(user)}`);
    await api.startChat();
    return new Person(name, api, numberAt(made, "user", "userId"));
  }

  #countDown(): Moment | undefined {
    if (!this.#death) return undefined;
    this.#death.left -= 1;
    return this.#death.left === 0 ? this.#death.moment : undefined;
  }

  #die(moment: Moment | undefined): void {
    if (moment === undefined || !this.#death) return;
    this.#living = undefined;
    this.#death.kill();
    this.#death = undefined;
  }
}
