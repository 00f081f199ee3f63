"use strict";
const core = require("./core.js");
const { Subscribers } = require("./subscribers.js");

/** The core answered with another type than the one expected; it is in `response`. */
class ChatCommandError extends Error {
  constructor(message, response) {
    super(message);
    this.response = response;
  }
}

/** How long one receive waits for an event, and a close for it. Microseconds; 5 s in the library. */
const RECEIVE_WAIT = 200_000;

class ChatApi {
  #ctrl;
  #subscribers = new Subscribers();
  #receiving = false;
  #loop;

  constructor(ctrl) {
    this.#ctrl = ctrl;
  }

  /** `database`: `{type: "sqlite", filePrefix, encryptionKey?}`. */
  static async init(database, confirm = core.MigrationConfirmation.YesUp) {
    if (database.type !== "sqlite") throw new Error(`Invalid DbConfig: ${JSON.stringify(database)}`);
    return new ChatApi(
      await core.chatMigrateInit(database.filePrefix, database.encryptionKey ?? "", confirm),
    );
  }

  async startChat() {
    this.#receiving = true;
    this.#loop = this.#receiveEvents();
    const response = await this.sendChatCmd("/_start main=on");
    if (response.type !== "chatStarted" && response.type !== "chatRunning") {
      throw new ChatCommandError("error starting chat", response);
    }
  }

  async stopChat() {
    const response = await this.sendChatCmd("/_stop");
    if (response.type !== "chatStopped") throw new ChatCommandError("error stopping chat", response);
    await this.#endLoop();
  }

  async close() {
    await this.#endLoop();
    await core.chatCloseStore(this.ctrl);
    this.#ctrl = undefined;
  }

  async sendChatCmd(command) {
    return await core.chatSendCmd(this.ctrl, command);
  }

  async recvChatEvent(wait = RECEIVE_WAIT) {
    return await core.chatRecvMsgWait(this.ctrl, wait);
  }

  on(events, subscriber) {
    const entries = typeof events === "string" ? [[events, subscriber]] : Object.entries(events);
    for (const [tag, one] of entries) if (one) this.#subscribers.on(tag, one);
  }

  once(tag, subscriber) {
    this.#subscribers.on(tag, subscriber, true);
  }

  onAny(subscriber) {
    this.#subscribers.onAny(subscriber);
  }

  off(tag, subscriber) {
    this.#subscribers.off(tag, subscriber);
  }

  offAny(subscriber) {
    this.#subscribers.offAny(subscriber);
  }

  /** The next such event; undefined after `timeout` milliseconds, where one is given. */
  wait(tag, predicate, timeout = 0) {
    if (typeof predicate === "number") return this.wait(tag, undefined, predicate);
    return new Promise((resolve, reject) => {
      let timer;
      const end = (settle, value) => {
        clearTimeout(timer);
        this.off(tag, subscriber);
        settle(value);
      };
      const subscriber = (event) => {
        try {
          if (!predicate || predicate(event)) end(resolve, event);
        } catch (error) {
          end(reject, error);
        }
      };
      this.on(tag, subscriber);
      if (timeout > 0) timer = setTimeout(end, timeout, resolve, undefined);
    });
  }

  get initialized() {
    return this.#ctrl !== undefined;
  }

  get started() {
    return this.#receiving && this.#loop !== undefined;
  }

  get ctrl() {
    if (this.#ctrl === undefined) throw Error("chat api controller not initialized");
    return this.#ctrl;
  }

  async #endLoop() {
    this.#receiving = false;
    await this.#loop;
    this.#loop = undefined;
  }

  async #receiveEvents() {
    while (this.#receiving) {
      try {
        const event = await this.recvChatEvent();
        if (event) await this.#subscribers.tell(event);
      } catch (error) {
        if ("chatError" in error) console.log("Chat error", error.chatError);
        else console.log("Invalid event", error);
      }
    }
  }
}

Object.assign(exports, { ChatApi, ChatCommandError });
