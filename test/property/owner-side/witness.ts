import { setImmediate as turn } from "node:timers/promises";
import type { ChatApiLike, CoreJson } from "../../../src/core/api/chat-api.js";
import { chatRefOf, readEvent } from "../../../src/core/types.js";
import { at, listAt } from "../../world/json.js";
import {
  type Ask,
  approves,
  changedCard,
  type Decision,
  decides,
  endedSentence,
  endsRequest,
  isEarly,
  readCard,
  readSaid,
  shownText,
} from "./asks.js";
import { Grants } from "./grants.js";

const HOUR_MS = 3_600_000;
const PEOPLE_EVENTS = [
  "memberRole",
  "leftMember",
  "deletedMember",
  "joinedGroupMember",
  "connectedToGroupMember",
];

export interface WitnessOptions {
  now: () => number;
  /** For how many turns of the event loop a chat is not read yet. */
  delay: () => number;
  expireHours: number;
}

/**
 * Stands between an agent and its core, and knows from what passes alone who decided what: each outward command is
 * matched to a reason for it. What does not fit is in `violations`.
 */
export class Witness implements ChatApiLike {
  readonly violations: string[] = [];
  readonly asks = new Map<number, Ask>();
  /** Counts what happened, for a run that says what it tried. */
  readonly counts = {
    approved: 0,
    standing: 0,
    counted: 0,
    rejected: 0,
    expired: 0,
    failed: 0,
    cancelled: 0,
    left: 0,
    admitted: 0,
    turnedAway: 0,
    letIn: 0,
    paused: 0,
    changed: 0,
    answered: 0,
  };
  /** What owners were seen to answer. */
  readonly answers = new Set<string>();
  /** A pause was answered, and no end of it saved since. */
  isPaused = false;
  #wasPaused = false;
  /** The agent's address. */
  address: string | undefined;
  saved = 0;
  noted = 0;
  control = "";
  readonly #options: WitnessOptions;
  #api: ChatApiLike;
  #cards = new Map<number, number>();
  #approvers = new Set<number>();
  /** Valid decisions since everything was quiet. */
  #decisions: Decision[] = [];
  /** An owner's `/leave` deletes once; it still rejects what is asked for the chat meanwhile. */
  readonly #leavesDone = new Set<Decision>();
  #peopleChanged = false;
  readonly #standing = new Grants();
  /** Texts sent by a standing approval that were not shown yet. */
  #unshown: string[] = [];
  readonly #prepared = new Map<string, string>();
  /** Who waits to be let in: requests by the core's number, others by their chat. */
  readonly #requests = new Map<number, Waiting>();
  readonly #waiting = new Map<string, Waiting>();
  /** Chats that were deleted: what came through them is dead. */
  readonly #gone = new Set<string>();
  #isAuto = false;
  #wasAuto = false;

  constructor(api: ChatApiLike, options: WitnessOptions) {
    this.#api = api;
    this.#options = options;
  }

  /** The same agent on its core opened anew. */
  reopened(api: ChatApiLike): void {
    this.#api = api;
    for (const ask of this.asks.values()) ask.end ??= "lost";
  }

  startChat(): Promise<unknown> {
    return this.#api.startChat();
  }

  close(): Promise<void> {
    return this.#api.close();
  }

  onAny(handler: (event: CoreJson) => void): void {
    this.#api.onAny((event) => {
      this.noted += 1;
      this.#onEvent(event);
      return handler(event);
    });
  }

  async sendChatCmd(command: string): Promise<CoreJson> {
    this.noted += 1;
    // What is read before an act takes longer now and then: much can be said meanwhile.
    if (command.startsWith("/_get chat ")) {
      for (let turns = this.#options.delay(); turns > 0; turns -= 1) {
        this.noted += 1;
        await turn();
      }
    }
    const onAnswer = this.#onCommand(command);
    const answer = await this.#api.sendChatCmd(command);
    this.noted += 1;
    onAnswer?.(answer);
    return answer;
  }

  /** Everything said so far was handled. */
  quiet(): void {
    this.#expectRevoked();
    this.#decisions = [];
    this.#peopleChanged = false;
    this.#wasAuto = this.#isAuto;
    for (const text of this.#unshown.splice(0)) this.violations.push(`sent, and not shown: ${text}`);
    for (const ask of this.asks.values()) {
      this.#expectDecided(ask);
      // Nothing came of these: the chat was gone, or their author was by then.
      if (ask.end === undefined && ask.acts === 0) ask.decisions.length = 0;
    }
    this.#wasPaused = this.isPaused;
  }

  isOpen(fits: (ask: Ask) => boolean): boolean {
    return [...this.asks.values()].some((ask) => ask.end === undefined && fits(ask));
  }

  // What owners say

  #onEvent(raw: CoreJson): void {
    if (PEOPLE_EVENTS.includes(raw.type)) this.#peopleChanged = true;
    this.#asked(raw);
    const event = readEvent(raw);
    if (event?.type !== "newChatItems") return;
    for (const { chatInfo, chatItem } of event.chatItems) {
      const { chatDir, content, meta } = chatItem;
      if (chatRefOf(chatInfo) !== this.control || chatDir.type !== "groupRcv") continue;
      if (content.type !== "rcvMsgContent" || content.msgContent.type !== "text") continue;
      if (meta.itemLive || meta.itemEdited || meta.itemForwarded || meta.forwardedByMember !== undefined)
        continue;
      const { memberRole, groupMemberId: member, memberProfile } = chatDir.groupMember;
      const said = readSaid(content.msgContent.text);
      if (!said || memberRole !== "owner") continue;
      const decision = {
        said,
        item: meta.itemId,
        member,
        name: memberProfile.displayName,
        time: this.#options.now(),
      };
      this.#decisions.push(decision);
      for (const ask of this.asks.values()) this.#take(decision, ask, false);
    }
  }

  /** Somebody asks to be let in, or the core let them in by itself. */
  #asked(event: CoreJson): void {
    if (event.type === "receivedContactRequest") {
      const contact = at(event, "chat_", "chatInfo", "contact", "contactId");
      const who = String(at(event, "contactRequest", "profile", "displayName"));
      const id = Number(at(event, "contactRequest", "contactRequestId"));
      this.#requests.set(id, { by: "address", who, ref: `@${contact}`, through: "" });
    } else if (event.type === "newMemberContactReceivedInv") {
      const ref = `@${at(event, "contact", "contactId")}`;
      const who = String(at(event, "contact", "profile", "displayName"));
      const through = `#${at(event, "groupInfo", "groupId")}`;
      this.#waiting.set(ref, { by: "member", who, ref, through });
    } else if (event.type === "receivedGroupInvitation") {
      const ref = `#${at(event, "groupInfo", "groupId")}`;
      const who = String(at(event, "groupInfo", "groupProfile", "displayName"));
      const through = `@${at(event, "contact", "contactId")}`;
      this.#waiting.set(ref, { by: "invitation", who, ref, through });
    } else if (event.type === "acceptingContactRequest") {
      this.counts.letIn += 1;
      if (!this.#isAuto && !this.#wasAuto)
        this.violations.push(`the core let ${at(event, "contact", "localDisplayName")} in by itself`);
    }
  }

  #take(decision: Decision, ask: Ask, early: boolean): void {
    const isDue = decision.time >= ask.posted + this.#options.expireHours * HOUR_MS;
    if (ask.end !== undefined || isDue || !decides(decision, ask)) return;
    const isPause = this.isPaused || this.#isPauseSaid;
    const maybePaused = isPause && ask.tool === "admit" && approves(decision);
    ask.decisions.push({ ...decision, early, maybePaused });
  }

  /**
   * Decisions that may have counted: none that names the number before the card was there, and up to the first that
   * does after, unless people changed. What is said of a whole chat comes to nothing where the chat is gone.
   */
  #counting(ask: Ask): Decision[] {
    const decisions = ask.decisions.filter((one) => !("number" in one.said && isEarly(one, ask)));
    const first = decisions.findIndex(({ said, maybePaused }) => "number" in said && !maybePaused);
    return this.#peopleChanged || first < 0 ? decisions : decisions.slice(0, first + 1);
  }

  /** Since everything was quiet; it may not be answered yet. */
  get #isPauseSaid(): boolean {
    return this.#decisions.some(({ said }) => said.kind === "pause");
  }

  #approvalsOf(ask: Ask): Decision[] {
    return this.#counting(ask).filter(approves);
  }

  #expectDecided(ask: Ask): void {
    if (ask.end !== undefined || ask.tool === "connect") return;
    // The connection may take its time.
    if (ask.tool === "admit" && (ask.acts > 0 || this.#wasPaused)) return;
    const decided = ask.decisions.find(
      (one) =>
        !isEarly(one, ask) &&
        this.#approvers.has(one.member) &&
        // Nothing comes of either for a chat that is gone.
        one.said.kind !== "leave" &&
        one.said.kind !== "let all in" &&
        one.said.kind !== "resume" &&
        (one.said.kind !== "approve all" || this.#standing.endless(one.said.chat) === one.member),
    );
    if (decided) this.violations.push(`action ${ask.number} was decided by ${decided.name}, and goes on`);
  }

  /** The last word of an approver on a chat's standing approval was `/revoke`: it is gone from the core, too. */
  #expectRevoked(): void {
    if (this.#peopleChanged) return;
    const revoked = new Map<string, string>();
    for (const { said, member, name } of this.#decisions) {
      if (!this.#approvers.has(member)) continue;
      if (said.kind === "revoke") revoked.set(said.chat, name);
      else if (said.kind === "approve all") revoked.delete(said.chat);
    }
    for (const [chat, name] of revoked)
      if (this.#standing.has(chat)) this.violations.push(`${name} revoked ${chat}, and it stands`);
  }

  // What the agent does

  #onCommand(command: string): ((answer: CoreJson) => void) | undefined {
    const [, verb, chat = "", rest = ""] =
      /^\/_(send|leave|delete|set custom|members|update item) (\S+) ?(.*)$/s.exec(command) ?? [];
    const isControl = chat === this.control;
    switch (verb) {
      case "send": {
        const text = textIn(rest);
        if (!isControl) this.#sent(chat, text);
        return isControl ? this.#posted(text) : undefined;
      }
      case "update item":
        if (isControl) this.#changed(this.#cards.get(Number(rest.split(" ")[0])), textIn(rest));
        return undefined;
      case "leave":
        if (!isControl && !this.#leaveReason(chat)) this.violations.push(`left ${chat} unasked`);
        return undefined;
      case "delete":
        if (rest === "full notify=on" && !isControl) this.#deleted(chat);
        return undefined;
      case "set custom":
        return isControl ? this.#savesCounter(rest) : this.#standingStored(chat, rest);
      case "members":
        return isControl ? (answer) => this.#membersRead(answer) : undefined;
    }
    if (this.#onMeeting(command)) return (answer) => this.#noteAddress(answer);
    if (command.startsWith("/_prepare ")) {
      return (answer) => {
        const info = ["chat", "chatInfo"];
        const contact = at(answer, ...info, "contact", "contactId");
        this.#prepared.set(
          contact === undefined ? `#${at(answer, ...info, "groupInfo", "groupId")}` : `@${contact}`,
          command,
        );
      };
    }
    const [, connecting, way] =
      /^\/_connect (?!plan)(?:(?:contact|group) ([@#]\d+)|(.*))/.exec(command) ?? [];
    const link = connecting === undefined ? way : this.#prepared.get(connecting);
    if (connecting !== undefined || way !== undefined) this.#connected(link ?? "");
    return undefined;
  }

  /** Commands about the agent's links and those who come by them; false for others. */
  #onMeeting(command: string): boolean {
    const said = (...kinds: Decision["said"]["kind"][]) =>
      this.#decisions.some((one) => kinds.includes(one.said.kind));
    const [, verb, id = ""] =
      /^\/_(accept member contact|accept|reject|join|address_settings|address|delete_address|show_address) (\S+)/.exec(
        command,
      ) ?? [];
    switch (verb) {
      case "accept":
        this.#admitted(this.#requests.get(Number(id)));
        return true;
      case "reject":
        this.#turnedAway(this.#requests.get(Number(id)), command);
        return true;
      case "accept member contact":
      case "join":
        this.#admitted(this.#waiting.get(id));
        return true;
      case "address":
      case "address_settings":
      case "delete_address":
        // While the agent is paused nobody is let in unasked.
        if (!said("address", "let all in", "pause", "resume"))
          this.violations.push(`the address changed unasked: ${command}`);
        if (verb !== "address") this.#isAuto = command.includes("autoAccept");
        if (this.#isAuto) {
          this.#wasAuto = true;
          if (!said("let all in", "resume")) this.violations.push("nobody said that all are let in");
        }
        return true;
      case "show_address":
        return true;
    }
    if (command !== "/_connect 1 incognito=off") return false;
    if (!said("invite")) this.violations.push("a one-time link was made unasked");
    return true;
  }

  #noteAddress(answer: CoreJson): void {
    const link = at(answer, "connLinkContact") ?? at(answer, "contactLink", "connLinkContact");
    if (link) this.address = String(at(link, "connShortLink"));
    if (answer.type === "userContactLinkDeleted") this.address = undefined;
  }

  #admitted(waiting: Waiting | undefined): void {
    if (waiting && this.#act((ask) => isOf(ask, waiting))) this.counts.admitted += 1;
    else if (waiting?.by !== "address" || !(this.#isAuto || this.#wasAuto))
      this.violations.push(`let in unasked: ${JSON.stringify(waiting)}`);
  }

  /** A rejection, or the end of what could not be accepted any more. */
  #turnedAway(waiting: Waiting | undefined, command: string): void {
    const isReason = (ask: Ask) =>
      ask.acts > 0 || ask.end === "rejected" || this.#counting(ask).some((decision) => !approves(decision));
    const isAsked = waiting && [...this.asks.values()].some((ask) => isOf(ask, waiting) && isReason(ask));
    const isDead = waiting && this.#gone.has(waiting.through);
    if (isAsked || isDead || (waiting?.by === "address" && this.#wasAuto)) this.counts.turnedAway += 1;
    else this.violations.push(`turned away unasked: ${command}`);
  }

  #savesCounter(rest: string): () => void {
    const next = Number(/"nextAction":(\d+)/.exec(rest)?.[1]);
    if (!(next >= this.saved)) this.violations.push(`the counter went from ${this.saved} to ${next}`);
    // It may end from here on.
    if (!rest.includes('"paused"')) this.isPaused = false;
    return () => {
      this.saved = next;
    };
  }

  #standingStored(chat: string, rest: string): undefined {
    const written = this.#standing.write(chat, rest, this.#decisions, this.#options.now());
    if (typeof written === "string") this.violations.push(written);
    else if (written) this.counts.counted += 1;
  }

  #membersRead(answer: CoreJson): void {
    const members = listAt(answer, "group", "members").filter(
      (one) =>
        at(one, "memberRole") === "owner" &&
        !["left", "removed", "deleted"].includes(String(at(one, "memberStatus"))),
    );
    this.#approvers = new Set(members.map((one) => Number(at(one, "groupMemberId"))));
  }

  /** A message of the control chat: a new card, or the end of an action without one. */
  #posted(text: string): ((answer: CoreJson) => void) | undefined {
    const ask = readCard(text, this.#options.now());
    if (text === "Paused: nothing goes out. /'resume'") {
      this.isPaused = true;
      this.#wasPaused = true;
      this.counts.paused += 1;
    }
    if (!ask) {
      this.#shown(text);
      return undefined;
    }
    if (ask.number >= this.saved) this.violations.push(`number ${ask.number} was posted before it was saved`);
    if (this.asks.has(ask.number)) this.violations.push(`number ${ask.number} is on two cards`);
    this.asks.set(ask.number, ask);
    for (const decision of this.#decisions) this.#take(decision, ask, true);
    return (answer) => {
      const [posted] = listAt(answer, "chatItems");
      const item = Number(at(posted, "chatItem", "meta", "itemId"));
      ask.item = item;
      this.#cards.set(item, ask.number);
    };
  }

  /** Whether something was sent under a standing approval, and owners will be told of it in a moment. */
  get isTelling(): boolean {
    return this.#unshown.length > 0;
  }

  /** One that ended, or several that are gathered. */
  #shown(message: string): void {
    if (!/^I (?:sent|wanted to|left|deleted|connected)/.test(message)) return;
    const all = message.split(/\n(?=I (?:sent|wanted to) )/);
    // Those in a row that end alike have one ending.
    let end = "";
    for (const text of all.toReversed()) {
      end = /\nApproved.*$/s.exec(text)?.[0] ?? end;
      this.#ended(/\nApproved/.test(text) ? text : text + end);
    }
  }

  #ended(text: string): void {
    const [, by] = /\nApproved for this chat by ([^.;]+)/.exec(text) ?? [];
    if (by === undefined) this.violations.push(`an end without a card: ${text}`);
    else {
      const index = this.#unshown.indexOf(shownText(text.split("\nApproved")[0] ?? ""));
      if (index >= 0) this.#unshown.splice(index, 1);
      // An interrupted or failed one may have left, or not.
      else if (text.startsWith("I sent ")) this.violations.push(`shown, and not sent: ${text}`);
    }
  }

  #changed(number: number | undefined, text: string): void {
    const ask = number === undefined ? undefined : this.asks.get(number);
    if (ask?.tool === "ask" && this.#answered(ask, text)) return;
    const [, how = "", name = "", failure = ""] =
      /\n(?:(?:Changed and )?([Aa]pproved|Rejected|Expired|Cancelled))(?: by ([^.;:]+))?(?:; the agent wrote: `[^`\n]*`(?: \(shown with replaced characters\))?)?(;[^\n]*)?[^\n]*$/.exec(
        text,
      ) ?? [];
    const end = how.replace("approved", "Approved");
    const wrong = (why: string) => this.violations.push(`${why}: ${text}`);
    if (!ask || end === "") return void wrong("no card can read so");
    if (ask.end !== undefined) wrong(`action ${number} ended before (${ask.end})`);
    const done = end === "Approved" && failure === "";
    ask.end = done ? "done" : end === "Approved" ? failureOf(failure) : end.toLowerCase();
    const isChanged = text.includes("\nChanged and approved by ");
    const saysSame = isChanged
      ? this.#saysChange(ask, text, done)
      : ask.tool === "admit"
        ? endsRequest(ask, text, done)
        : text.startsWith(`${endedSentence(ask, done)}\n`);
    if (!saysSame) wrong("the card says something else now");
    // What was left when the agent was paused stays as it is.
    const mayBePaused = this.#wasPaused || this.#isPauseSaid;
    const isHalf = ask.tool === "leave" && mayBePaused;
    if (done !== (ask.acts === 1) && !failure && !isHalf) wrong(`done ${ask.acts} times`);
    const deciding = this.#counting(ask).filter((decision) =>
      end === "Approved" ? approves(decision) : !approves(decision),
    );
    const leftWith = text.endsWith("`The agent left this chat.`.") && this.#leaveApprovedBy(ask, name);
    const isPause = this.#decisions.some((one) => one.said.kind === "pause" && one.name === name);
    const pausedWith = isPause && text.endsWith("paused the agent.`.");
    if (name !== "" && !leftWith && !pausedWith && !deciding.some((decision) => decision.name === name))
      wrong(`${name} did not decide this`);
    this.#count(ask.end);
  }

  /** The card has the owner's text, that of a decision which may have counted, and no other was sent. */
  #saysChange(ask: Ask, text: string, done: boolean): boolean {
    this.counts.changed += 1;
    return this.#counting(ask).some(
      ({ said }) =>
        said.kind === "edit" &&
        (ask.changed ?? said.text) === said.text &&
        text.startsWith(changedCard(ask, said.text, done)),
    );
  }

  /** The end of a question by an answer; false when it ended otherwise. */
  #answered(ask: Ask, text: string): boolean {
    const [, name, answer] = /\n([^\n]+) answered: `([^`]*)`\.$/.exec(text) ?? [];
    if (name === undefined || answer === undefined) return false;
    const isSaid = ({ said, name: by }: Decision) =>
      said.kind === "answer" && said.text === answer && by === name;
    if (ask.end !== undefined) this.violations.push(`question ${ask.number} ended before (${ask.end})`);
    if (!text.startsWith(`${endedSentence(ask, true)}\n`) || !this.#counting(ask).some(isSaid))
      this.violations.push(`nobody answered so: ${text}`);
    ask.end = "answered";
    this.answers.add(answer);
    this.counts.answered += 1;
    return true;
  }

  /** Who let the agent leave the chat ended with it what was pending for the chat. */
  #leaveApprovedBy({ chat }: Ask, name: string): boolean {
    return [...this.asks.values()].some(
      (ask) =>
        ask.tool === "leave" &&
        ask.chat === chat &&
        this.#counting(ask).some((decision) => approves(decision) && decision.name === name),
    );
  }

  #count(end: string): void {
    if (end === "done") this.counts.approved += 1;
    else if (end === "rejected" || end === "expired" || end === "failed" || end === "cancelled")
      this.counts[end] += 1;
  }

  #sent(chat: string, text: string): void {
    if (this.isPaused) this.violations.push(`sent to ${chat} by a paused agent: ${text}`);
    const isText = (ask: Ask) =>
      this.#approvalsOf(ask).some(({ said }) => (said.kind === "edit" ? said.text : ask.text) === text);
    const fits = (ask: Ask) => ask.tool === "send" && ask.chat === chat && isText(ask);
    const ask = this.#act(fits);
    if (ask) {
      if (ask.text !== text) ask.changed = text;
      return;
    }
    if (!this.#standing.use(chat, this.#approvers, this.#options.now()))
      this.violations.push(`sent to ${chat} unasked: ${text}`);
    this.#unshown.push(text);
    this.counts.standing += 1;
  }

  /** `way`: the command with the link, or the contact of an address that is known. */
  #connected(way: string): void {
    const isKnown = way.startsWith("contact ");
    const fits = ({ tool, target }: Ask) =>
      tool === "connect" && target !== undefined && (isKnown || way.includes(target));
    if (!this.#act(fits)) this.violations.push(`connected unasked: ${way}`);
  }

  #deleted(chat: string): void {
    const waiting = this.#waiting.get(chat);
    const wasLetIn =
      waiting && [...this.asks.values()].some((ask) => isOf(ask, waiting) && ask.end === "done");
    if (waiting && !wasLetIn) {
      this.#turnedAway(waiting, `/_delete ${chat}`);
      this.#waiting.delete(chat);
      return;
    }
    this.#waiting.delete(chat);
    this.#gone.add(chat);
    this.counts.left += 1;
    this.#standing.delete(chat);
    if (this.#act(({ tool, chat: asked }) => tool === "leave" && asked === chat)) return;
    const command = this.#ownersLeave(chat);
    if (command) this.#leavesDone.add(command);
    else this.violations.push(`deleted ${chat} unasked`);
  }

  #leaveReason(chat: string): boolean {
    const asked = [...this.asks.values()].some(
      (ask) =>
        ask.tool === "leave" && ask.chat === chat && ask.acts === 0 && this.#approvalsOf(ask).length > 0,
    );
    return asked || this.#ownersLeave(chat) !== undefined;
  }

  #ownersLeave(chat: string): Decision | undefined {
    return this.#decisions.find(
      (one) => one.said.kind === "leave" && one.said.chat === chat && !this.#leavesDone.has(one),
    );
  }

  /** Takes the approved action that fits; none when there is none that was not performed. */
  #act(fits: (ask: Ask) => boolean): Ask | undefined {
    const ask = [...this.asks.values()].findLast(
      (one) => fits(one) && one.acts === 0 && one.end === undefined && this.#approvalsOf(one).length > 0,
    );
    if (ask && this.isPaused) this.violations.push(`action ${ask.number} done by a paused agent`);
    if (ask) ask.acts += 1;
    return ask;
  }
}

/** Somebody who asks, and the chat through which. */
interface Waiting {
  readonly by: "address" | "member" | "invitation";
  readonly who: string;
  readonly ref: string;
  readonly through: string;
}

/** The card is of this request, as far as it says. */
function isOf({ admits }: Ask, { by, who, ref }: Waiting): boolean {
  return admits?.by === by && admits.who === who && (admits.ref === undefined || admits.ref === ref);
}

function failureOf(failure: string): string {
  return failure.startsWith("; interrupted") ? "interrupted" : "failed";
}

/** The text of the one message in a command. */
function textIn(rest: string): string {
  const json: unknown = JSON.parse(rest.slice(rest.search(/[[{]/)));
  return String(at(Array.isArray(json) ? json[0] : json, "msgContent", "text"));
}
