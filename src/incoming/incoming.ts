import { type IncomingFields, isFinal } from "../actions/action.js";
import { type Action, ActionRefused, type Actions } from "../actions/actions.js";
import type { Core } from "../core/core.js";
import { explain } from "../core/errors/explain.js";
import type { ChatEvent, ChatInfo, ChatRef, Contact, User } from "../core/types.js";
import type { Clock } from "../time/clock.js";
import { Turns } from "../time/turns.js";
import { accept, turnAway } from "./answers.js";
import { Arrivals } from "./arrivals.js";
import { keyOf, Line, type RequestId } from "./line.js";
import { contactId, readRequest, requestId, waitingRequests } from "./request.js";
import { RequestWork } from "./request-work.js";

/** What owners are told besides cards. */
export interface Notices {
  /** So many requests wait without a card. Never rejects. */
  waiting(count: number, { more }: { more: boolean }): Promise<void>;
  /** Somebody is connected, and no card said so. */
  connected(name: string, chat: ChatRef, by: "link" | "address"): void;
}

export interface IncomingOptions {
  core: Core;
  /** The same, for what goes out once an owner lets somebody in: not while the agent is paused. */
  agentCore: Core;
  user: User;
  clock: Clock;
  actions: Actions;
  notices: Notices;
  /** What a card holds of the fields. */
  cutToCard: (fields: IncomingFields) => IncomingFields;
  /** The chat is one of the agent's from now on. Never rejects. */
  onAccepted: (chat: ChatRef) => Promise<void>;
  log: (line: string) => void;
}

/** A card that could not be posted is tried again after so long. Milliseconds. */
const RETRY_MS = 60_000;

/** What other people ask of the agent: for each an action without a call, which its owners decide. */
export class Incoming {
  readonly #options: IncomingOptions;
  readonly #line = new Line();
  readonly #arrivals = new Arrivals();
  readonly #turns = new Turns<"answer">();
  /** Contacts that the address let in without a card, until they are connected. */
  readonly #letIn = new Set<string>();
  /** Contacts that came by a one-time link, and were told of. */
  readonly #came = new Set<string>();
  readonly #endings = new Set<Promise<void>>();
  /** Cards are posted one after the other, beside the events. */
  #work: Promise<void> = Promise.resolve();
  #isAuto = false;
  #isStopped = false;
  #cancelNotice: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(options: IncomingOptions) {
    this.#options = options;
  }

  /** Requests of earlier starts, whose numbers are gone: one message tells of them. */
  async restore(ids: readonly RequestId[]): Promise<void> {
    if (ids.length === 0) return;
    this.#line.setAside(ids);
    this.#line.told(this.#options.clock.elapsed());
    await this.#options.notices.waiting(ids.length, { more: false });
  }

  /** Takes note and returns: what follows is done beside the events. */
  onEvent(event: ChatEvent): void {
    this.#arrivals.onEvent(event);
    switch (event.type) {
      case "receivedContactRequest":
        this.#arrived(event.chat_?.chatInfo);
        break;
      case "newMemberContactReceivedInv":
        this.#arrived({ type: "direct", contact: event.contact });
        break;
      case "receivedGroupInvitation":
        this.#arrived({ type: "group", groupInfo: event.groupInfo });
        break;
      case "acceptingContactRequest":
        this.#letIn.add(keyOf(contactId(event.contact)));
        break;
      case "contactConnected":
        this.#connected(event.contact);
        break;
    }
  }

  /** Posts a card for each request that waits and has none, as far as there is room. */
  async askAll(): Promise<{ waiting: number; posted: number; inLine: number }> {
    await this.#work;
    const { core, user, clock } = this.#options;
    const ids = await waitingRequests(core, user.userId);
    const before = this.#line.cards;
    this.#line.askAll(ids);
    await this.pump();
    this.#line.told(clock.elapsed());
    return { waiting: ids.length, posted: this.#line.cards - before, inLine: this.#line.length };
  }

  /** The address lets in whoever asks from now on; those who wait are let in, too, and their cards decided by `by`. */
  async letAllIn(by: string): Promise<void> {
    this.#isAuto = true;
    // What is being posted has its card then.
    await this.#work;
    const { core, user, actions } = this.#options;
    const cards = actions
      .pending()
      .flatMap(({ number, work }) => (work instanceof RequestWork ? [{ number, work }] : []));
    for (const id of await waitingRequests(core, user.userId, { byAddress: true })) {
      const card = cards.find(
        ({ work: { request } }) => request.chat === id.chat && request.made === id.made,
      );
      if (card) actions.approve(card.number, by);
      else this.#beside(() => this.#letInUnasked(id));
    }
  }

  /** The address asks again, or is gone. */
  ask(): void {
    this.#isAuto = false;
  }

  /** Posts the cards for which there is room now. */
  pump(): Promise<void> {
    return this.#beside(() => this.#postCards());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelNotice?.();
    this.#cancelRetry?.();
  }

  /** Resolves when nothing is being posted, let in or turned away any more. */
  async idle(): Promise<void> {
    await this.#work;
    await Promise.all(this.#endings);
  }

  #arrived(info: ChatInfo | undefined): void {
    const id = info && requestId({ chatInfo: info });
    if (!id) return;
    // It was on its way when the owner said so.
    if (this.#isAuto && info.type === "direct" && info.contact.contactRequestId !== undefined) {
      void this.#beside(() => this.#letInUnasked(id));
    } else if (this.#line.arrived(id)) {
      void this.pump();
    }
  }

  #connected(contact: Contact): void {
    const { notices, onAccepted } = this.#options;
    const id = contactId(contact);
    const { displayName } = contact.profile;
    if (this.#letIn.delete(keyOf(id))) {
      notices.connected(displayName, id.chat, "address");
      void onAccepted(id.chat);
    } else if (cameByLink(contact) && !this.#came.has(keyOf(id))) {
      // An event may come twice.
      this.#came.add(keyOf(id));
      notices.connected(displayName, id.chat, "link");
    }
  }

  /** One after the other; what fails is told to the operator. */
  #beside(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(async () => {
      if (this.#isStopped) return;
      try {
        await work();
      } catch (error) {
        this.#options.log(`Requests to the agent could not be looked after: ${explain(error)}`);
      }
    });
    return this.#work;
  }

  async #postCards(): Promise<void> {
    for (let id = this.#line.next(); id && !this.#isStopped; id = this.#line.next()) {
      if (await this.#postCard(id)) continue;
      this.#line.back(id);
      this.#retryLater();
      break;
    }
    this.#planNotice();
  }

  /** False when it could not be posted. */
  async #postCard(id: RequestId): Promise<boolean> {
    const { core, actions, cutToCard, log } = this.#options;
    try {
      const request = await readRequest(core, id.chat);
      if (request?.made !== id.made) {
        await this.#turns.run("answer", () => turnAway(core, id));
        this.#line.gone(id);
        return true;
      }
      const work = new RequestWork(
        { ...this.#options, arrivals: this.#arrivals, turns: this.#turns },
        request,
      );
      const action = await actions.raise({
        key: JSON.stringify(["request", id.chat, id.made]),
        fields: cutToCard(request.fields),
        work,
      });
      this.#follow(action, work, id);
      return true;
    } catch (error) {
      if (!(error instanceof ActionRefused))
        log(`A request to the agent could not be shown: ${explain(error)}`);
      return false;
    }
  }

  /** Does what a rejection means, and frees the place of the card. */
  #follow(action: Action, work: RequestWork, id: RequestId): void {
    let isEnding = false;
    const look = (): void => {
      if (!isFinal(action.state) || isEnding) return;
      isEnding = true;
      const ending = this.#end(action, work, id).finally(() => this.#endings.delete(ending));
      this.#endings.add(ending);
    };
    action.changes.subscribe(look);
    // It may have been decided while its card was posted.
    look();
  }

  async #end({ number, state }: Action, work: RequestWork, id: RequestId): Promise<void> {
    try {
      if (state.state === "rejected") await work.turnAway();
    } catch (error) {
      this.#options.log(`The request of action ${number} could not be turned away: ${explain(error)}`);
    }
    this.#line.ended(id, { waits: !work.isOver });
    await this.pump();
  }

  async #letInUnasked(id: RequestId): Promise<void> {
    const { core, log } = this.#options;
    const request = await readRequest(core, id.chat);
    if (request?.made !== id.made || !this.#isAuto) return;
    this.#letIn.add(keyOf(id));
    try {
      await this.#turns.run("answer", () => accept(core, request));
      this.#line.gone(id);
    } catch (error) {
      this.#letIn.delete(keyOf(id));
      log(`A request to the agent's address could not be accepted: ${explain(error)}`);
    }
  }

  #retryLater(): void {
    this.#cancelRetry ??= this.#options.clock.after(RETRY_MS, () => {
      this.#cancelRetry = undefined;
      void this.pump();
    });
  }

  /** Tells owners of the line some time from now, where that is due. */
  #planNotice(): void {
    const { clock, notices } = this.#options;
    const at = this.#line.noticeAt(clock.elapsed());
    if (at === undefined || this.#cancelNotice) return;
    this.#cancelNotice = clock.after(at - clock.elapsed(), () => {
      this.#cancelNotice = undefined;
      if (this.#line.length === 0 || this.#isStopped) return;
      this.#line.told(clock.elapsed());
      void notices.waiting(this.#line.length, { more: true });
    });
  }
}

/** They used a link of ours that works once: neither our address nor a link of theirs was used. */
function cameByLink({ activeConn, contactRequestId, preparedContact, groupDirectInv }: Contact): boolean {
  return (
    activeConn?.contactConnInitiated === true &&
    activeConn.xContactId === undefined &&
    contactRequestId === undefined &&
    preparedContact === undefined &&
    groupDirectInv === undefined
  );
}
