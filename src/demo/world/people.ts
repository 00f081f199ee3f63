import type { ChatRef } from "../../core/types.js";
import type { SimulatedNetwork } from "../../simulator/network.js";
import type { Clock } from "../../time/clock.js";
import { Person } from "./person.js";
import {
  businessAnswer,
  CHATTER,
  directoryAnswer,
  echoAnswer,
  groupAnswer,
  type ListedGroup,
  ROUTE,
  VISITOR,
  visitorAnswer,
  WELCOME,
} from "./scripts.js";

/** The people and bots of the demo: ordinary users, each with a database of their own. */
export interface People {
  /** The link of the hiking group. */
  readonly trail: string;
  /** A member of the hiking group says the next thing there. */
  chatter(): Promise<void>;
  /** The owner passes the agent's address on: after a while somebody asks to connect by it, once. */
  passOn(address: string): void;
  close(): Promise<void>;
}

export interface PeopleOptions {
  /** How long a person takes to answer, in milliseconds; bots answer at once. */
  readonly thinkMs?: number;
  /** From the first guest on, the hiking group talks by itself, so often, in milliseconds. 0: it does not. */
  readonly chatterMs?: number;
  /** A person could not do what they meant to. */
  readonly log: (line: string) => void;
}

interface Cast {
  readonly network: SimulatedNetwork;
  readonly clock: Clock;
  readonly thinkMs: number;
  readonly everybody: Person[];
  /** Does it after a while; whoever fails at it is told of in the log. */
  readonly later: (ms: number, act: () => Promise<unknown>) => void;
}

/**
 * Moves the people in: bots at `@directory.simplex` and `@echo.simplex`, a business at `@ridgeline.simplex`, two groups
 * that the directory knows, and somebody who comes to the agent once its address is known.
 */
export async function movePeopleIn(network: SimulatedNetwork, options: PeopleOptions): Promise<People> {
  const { clock } = network;
  const timers = new Set<() => void>();
  const cast: Cast = {
    network,
    clock,
    thinkMs: options.thinkMs ?? 900,
    everybody: [],
    later: (ms, act) => {
      const cancel = clock.after(ms, () => {
        timers.delete(cancel);
        act().catch((error: unknown) => options.log(`A simulated person failed: ${String(error)}`));
      });
      timers.add(cancel);
    },
  };
  const trail = await openTrail(cast, options.chatterMs ?? 0);
  const tea = await openTea(cast);
  await openDirectory(cast, [trail.listed, tea]);
  await openEcho(cast);
  await openBusiness(cast);
  return {
    trail: trail.listed.link,
    chatter: trail.chatter,
    passOn: await visitor(cast),
    close: async () => {
      for (const cancel of timers) cancel();
      for (const person of cast.everybody) await person.close();
    },
  };
}

async function moveIn(cast: Cast, displayName: string, peerType?: "bot"): Promise<Person> {
  const profile = { displayName, fullName: "", ...(peerType && { peerType }) };
  const person = await Person.start(cast.network.open(displayName), profile, cast.clock);
  cast.everybody.push(person);
  return person;
}

async function openDirectory(cast: Cast, groups: readonly ListedGroup[]): Promise<void> {
  const bot = await moveIn(cast, "Directory", "bot");
  const contact = await bot.openAddress({ business: false, welcome: WELCOME.directory });
  cast.network.registerName("directory.simplex", { contact });
  bot.onMessage(({ chat, text }) => cast.later(0, () => bot.say(chat, directoryAnswer(text, groups))));
}

async function openEcho(cast: Cast): Promise<void> {
  const bot = await moveIn(cast, "Echo", "bot");
  const contact = await bot.openAddress({ business: false, welcome: WELCOME.echo });
  cast.network.registerName("echo.simplex", { contact });
  bot.onMessage(({ chat, text }) => cast.later(0, () => bot.say(chat, echoAnswer(text))));
}

async function openBusiness(cast: Cast): Promise<void> {
  const business = await moveIn(cast, "Ridgeline Outfitters");
  const contact = await business.openAddress({ business: true, welcome: WELCOME.business });
  cast.network.registerName("ridgeline.simplex", { contact });
  business.onMessage(({ chat, text }) =>
    cast.later(cast.thinkMs, () => business.say(chat, businessAnswer(text))),
  );
}

/** How many times as long as an answer it takes to make up one's mind to ask a stranger. */
const VISITOR_THINKS = 5;

/** Somebody who asks to connect by each address that they get to know, and then answers. */
async function visitor(cast: Cast): Promise<(address: string) => void> {
  const person = await moveIn(cast, VISITOR.name);
  person.onMessage(({ chat, text }) => cast.later(cast.thinkMs, () => person.say(chat, visitorAnswer(text))));
  const known = new Set<string>();
  return (address) => {
    if (known.has(address)) return;
    known.add(address);
    cast.later(cast.thinkMs * VISITOR_THINKS, () => person.ask(address, VISITOR.asks));
  };
}

const GROUP_PREFERENCES = {
  history: { enable: "on" },
  directMessages: { enable: "on" },
  files: { enable: "on" },
};

/** The hiking group: it greets who joins, answers, and talks by itself. */
async function openTrail(
  cast: Cast,
  chatterMs: number,
): Promise<{ listed: ListedGroup; chatter: () => Promise<void> }> {
  const hazel = await moveIn(cast, "Hazel");
  const about = "walks, gear and weather in the hills";
  const group = await hazel.openGroup({
    displayName: "Trail Talk",
    fullName: "",
    shortDescr: about,
    groupPreferences: GROUP_PREFERENCES,
  });
  const members = new Map<string, { person: Person; chat: ChatRef }>([
    [hazel.name, { person: hazel, chat: group.chat }],
  ]);
  for (const name of ["Switchback", "Fern"]) {
    const person = await moveIn(cast, name);
    members.set(name, { person, chat: await person.join(group.link) });
  }
  const say = async (name: string, text: string, quoting?: number): Promise<void> => {
    const member = members.get(name);
    await member?.person.say(member.chat, text, quoting);
  };
  const guide = members.get(ROUTE.by);
  await guide?.person.sendFile(guide.chat, ROUTE.name, ROUTE.content, ROUTE.text);
  await say("Hazel", "Welcome to Trail Talk. Ask about routes, gear and weather.");

  let said = 0;
  const chatter = async (): Promise<void> => {
    const next = CHATTER[said++ % CHATTER.length];
    if (next) await say(next.by, next.text);
  };
  const talk = (): void => {
    if (said < CHATTER.length) cast.later(chatterMs, () => chatter().finally(talk));
  };
  let guests = 0;
  hazel.onEvent((event) => {
    if (event.type !== "joinedGroupMember" || members.has(event.member.memberProfile.displayName)) return;
    cast.later(cast.thinkMs, () => say("Hazel", `Hello ${event.member.memberProfile.displayName}!`));
    if (guests++ === 0 && chatterMs > 0) talk();
  });
  // Each reads a guest's message; who has something to say to it quotes it.
  for (const { person } of members.values()) {
    person.onMessage(({ text, item, member }) => {
      const answer = groupAnswer(text);
      if (!member || members.has(member.name) || answer.by !== person.name) return;
      cast.later(cast.thinkMs, () => say(person.name, answer.text, item));
    });
  }
  return { listed: { name: "Trail Talk", about, words: HIKING, link: group.link }, chatter };
}

async function openTea(cast: Cast): Promise<ListedGroup> {
  const host = await moveIn(cast, "Juniper");
  const about = "leaves, pots and patience";
  const { link, chat } = await host.openGroup({
    displayName: "Tea Corner",
    fullName: "",
    shortDescr: about,
    groupPreferences: GROUP_PREFERENCES,
  });
  host.onMessage(({ item }) =>
    cast.later(cast.thinkMs, () => host.say(chat, "Put the kettle on and tell us more.", item)),
  );
  return { name: "Tea Corner", about, words: ["tea", "drink", "leaves"], link };
}

const HIKING = [
  "hiking",
  "hike",
  "walk",
  "walks",
  "walking",
  "trail",
  "gear",
  "weather",
  "mountain",
  "hills",
  "outdoor",
];
