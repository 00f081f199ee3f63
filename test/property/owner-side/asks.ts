/** What an owner's message said, read here without the product's parser. */
export type Said =
  | { kind: "approve" | "reject"; number: number; chat?: string }
  | { kind: "edit" | "answer"; number: number; chat?: string; text: string }
  | { kind: "approve all"; chat: string; count?: number; ms?: number }
  | { kind: "leave" | "revoke"; chat: string }
  | { kind: "address" | "let all in" | "invite" | "pause" | "resume" };

export interface Decision {
  readonly said: Said;
  /** The item of the message that said so. */
  readonly item: number;
  readonly name: string;
  readonly member: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** What a card asked for, and what came of it. */
export interface Ask {
  readonly number: number;
  readonly tool: "send" | "connect" | "leave" | "admit" | "ask";
  /** Who asks to be let in, or the group that the agent is invited into; with the reference where the card has it. */
  readonly admits?: { by: "address" | "member" | "invitation"; who: string; ref?: string };
  readonly chat: string | undefined;
  readonly target: string | undefined;
  /** The message that the card shows. */
  readonly text: string;
  readonly sentence: string;
  readonly posted: number;
  /** The item of the card, once the core has answered its posting. */
  item?: number;
  /** Valid ones for it; `early`: the message was seen before the card was posted. */
  readonly decisions: (Decision & {
    early: boolean;
    /** The agent was paused, or about to be: to let somebody in may have been refused, and another word counts. */
    maybePaused: boolean;
  })[];
  acts: number;
  /** The owner's text that was sent instead of the agent's. */
  changed?: string;
  /** How the card says that it ended. */
  end: string | undefined;
}

export function readSaid(text: string): Said | undefined {
  const own = /^\/(edit|answer) (?:([@#][1-9]\d*) )?([1-9]\d*) ([^ ].*)$/s.exec(text);
  if (own) {
    const [, kind, chat, number, words = ""] = own;
    if (kind === "answer" && chat !== undefined) return undefined;
    const about = { number: Number(number), text: words, ...(chat === undefined ? {} : { chat }) };
    return { kind: kind === "edit" ? "edit" : "answer", ...about };
  }
  const words = text
    .replace(/^\/'(.*)'$/, "/$1")
    .trim()
    .toLowerCase()
    .split(/\s+/);
  const [command, first = "", second = ""] = words;
  const number = (word: string) => (/^[1-9]\d*$/.test(word) ? Number(word) : undefined);
  const isChat = /^[@#][1-9]\d*$/.test(first);
  if ((command === "/leave" || command === "/revoke") && isChat && words.length === 2) {
    return { kind: command === "/leave" ? "leave" : "revoke", chat: first };
  }
  if ((command === "/pause" || command === "/resume") && words.length === 1)
    return { kind: command === "/pause" ? "pause" : "resume" };
  if (command === "/invite" && words.length === 1) return { kind: "invite" };
  if (command === "/address" && words.length === 2 && first === "auto") return { kind: "let all in" };
  if (command === "/address" && (words.length === 1 || ["ask", "off"].includes(first)))
    return { kind: "address" };
  if (command !== "/approve" && command !== "/reject") return undefined;
  const kind = command === "/approve" ? "approve" : "reject";
  const fits = (count: number) => kind === "reject" || words.length === count;
  const all = words.indexOf("all");
  if (kind === "approve" && isChat && (all === 2 || (all === 3 && number(second) !== undefined))) {
    const end = words.length > all + 2 ? undefined : endOf(words[all + 1]);
    return end && { kind: "approve all", chat: first, ...end };
  }
  const alone = number(first);
  if (alone !== undefined && fits(2)) return { kind, number: alone };
  const inChat = number(second);
  return isChat && inChat !== undefined && fits(3) ? { kind, number: inChat, chat: first } : undefined;
}

/** `2`, `5m`, or nothing; none where it is something else. */
function endOf(word: string | undefined): { count?: number; ms?: number } | undefined {
  if (word === undefined) return {};
  if (/^[1-9]\d{0,3}$/.test(word)) return { count: Number(word) };
  return /^[1-9]\d{0,2}m$/.test(word) ? { ms: Number.parseInt(word, 10) * 60_000 } : undefined;
}

const TOOLS = { send: "send", connect: "connect", leave: "leave", delete: "leave" } as const;

/** What a new card asks for; undefined when the message is no such card. */
export function readCard(card: string, posted: number): Ask | undefined {
  const lines = card.split("\n");
  const last = lines.pop() ?? "";
  const sentence = lines.join("\n");
  const admits = readRequest(sentence);
  const verb = /^I want to (send|connect|leave|delete) /.exec(sentence)?.[1];
  const [, chat, number] = /^\/'approve (?:([@#]\d+) )?(\d+)'/.exec(last) ?? [];
  const [, asked] = /^\/'answer (\d+)' with your text/.exec(last) ?? [];
  const isQuestion = asked !== undefined && sentence.startsWith("I ask: ");
  if (isQuestion || (number !== undefined && admits)) {
    return {
      number: Number(isQuestion ? asked : number),
      tool: isQuestion ? "ask" : "admit",
      ...(admits ? { admits } : {}),
      chat: undefined,
      target: undefined,
      text: isQuestion ? shownText(sentence) : "",
      sentence,
      posted,
      decisions: [],
      acts: 0,
      end: undefined,
    };
  }
  if (
    number === undefined ||
    (verb !== "send" && verb !== "connect" && verb !== "leave" && verb !== "delete")
  ) {
    return undefined;
  }
  return {
    number: Number(number),
    tool: TOOLS[verb],
    chat,
    target: verb === "connect" ? /\((\S+)\), /.exec(sentence)?.[1] : undefined,
    text: shownText(sentence),
    sentence,
    posted,
    decisions: [],
    acts: 0,
    end: undefined,
  };
}

/** Who asks in the first line of a card. */
function readRequest(sentence: string): Ask["admits"] {
  const [line = ""] = sentence.split("\n");
  const member = /^(.+?)(?: \(@\d+\))? of group .+ \(#\d+\) asks to connect to me\.$/.exec(line);
  if (member) return { by: "member", who: member[1] ?? "" };
  const person = /^(?:contact|bot|agent) (.+?)(?: \((@\d+)\))? asks to connect to me[.,]/.exec(line);
  if (person) return { by: "address", who: person[1] ?? "", ...(person[2] ? { ref: person[2] } : {}) };
  const group = /^.+ \(@\d+\) invites me to group (.+?)(?: \((#\d+)\))?, as \w+\.$/.exec(line);
  return group
    ? { by: "invitation", who: group[1] ?? "", ...(group[2] ? { ref: group[2] } : {}) }
    : undefined;
}

/** Whether the card of a request says how it ended. */
export function endsRequest({ admits }: Ask, text: string, done: boolean): boolean {
  const [line = ""] = text.split("\n");
  const words = done
    ? / is connected to me: contact @\d+\.$|^I joined group .+, invited by /
    : / asked to connect to me\.$|^.+ invited me to group /;
  return admits !== undefined && line.includes(admits.who) && words.test(line);
}

/** The message in the code spans of a card, a line each. */
export function shownText(sentence: string): string {
  return [...sentence.matchAll(/`([^`]*)`/g)].map(([, line]) => line).join("\n");
}

/** The sentence of a card that ended: in the past where it was done. */
export function endedSentence({ sentence }: Ask, done: boolean): string {
  if (sentence.startsWith("I ask:")) return sentence.replace("I ask:", "I asked:");
  if (!done) return sentence.replace("I want to", "I wanted to");
  const past = { send: "sent", connect: "connected", leave: "left", delete: "deleted" };
  return Object.entries(past).reduce(
    (text, [verb, form]) => text.replace(`I want to ${verb}`, `I ${form}`),
    sentence,
  );
}

export function decides({ said }: Decision, ask: Ask): boolean {
  if (ask.tool === "ask" && said.kind !== "reject" && said.kind !== "answer") return false;
  if ("text" in said && ask.tool !== (said.kind === "edit" ? "send" : "ask")) return false;
  if ("number" in said) {
    return said.number === ask.number && (said.chat === undefined || said.chat === ask.chat);
  }
  // With the agent an address that lets all in goes on.
  if (said.kind === "let all in" || said.kind === "resume") return ask.admits?.by === "address";
  if (said.kind === "revoke" || said.kind === "address" || said.kind === "invite") return false;
  // Leaving the chat rejects what waits for it.
  return "chat" in said && said.chat === ask.chat && (said.kind === "leave" || ask.tool === "send");
}

export function approves({ said }: Decision): boolean {
  return (
    said.kind === "approve" ||
    said.kind === "edit" ||
    said.kind === "approve all" ||
    said.kind === "let all in" ||
    said.kind === "resume"
  );
}

/** How the card of a message that an owner changed begins once it is over, and what it says of the change. */
export function changedCard({ sentence }: Ask, text: string, done: boolean): string {
  const [before = ""] = sentence.split(/:[ \n]`/);
  return `${before.replace("I want to send", done ? "I sent" : "I wanted to send")}: \`${text}\`\nChanged and approved by `;
}

/** Whether it was said before the card was there: the message has the older item, whenever it is handled. */
export function isEarly({ early, item }: Ask["decisions"][number], ask: Ask): boolean {
  return early || (ask.item !== undefined && item < ask.item);
}
