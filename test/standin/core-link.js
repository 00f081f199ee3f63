"use strict";
const net = require("node:net");
const readline = require("node:readline");

/** The socket of the core's host in the test process. */
const SOCKET = "SIMPLEX_STANDIN_SOCKET";

/** What the program and the test process say to each other: JSON, a line each. */
class CoreLink {
  #socket;
  #asked = new Map();
  #requests = 0;
  #events = [];
  #receiver;
  #closing = false;

  constructor(socket) {
    this.#socket = socket;
    const lines = readline.createInterface({ input: socket });
    lines.on("line", (line) => this.#take(JSON.parse(line)));
    lines.on("error", () => this.#lost());
    socket.on("close", () => this.#lost());
  }

  /** Opens the databases with this prefix in the test process. */
  static async connect(filePrefix, confirm) {
    const path = process.env[SOCKET];
    if (!path) throw new Error(`${SOCKET} is not set`);
    const socket = net.connect(path);
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    const link = new CoreLink(socket);
    await link.ask({ open: filePrefix, confirm, threads: process.env.UV_THREADPOOL_SIZE });
    return link;
  }

  /** Resolves with the core's answer, a JSON text. */
  ask(request) {
    const id = ++this.#requests;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.#socket.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  }

  /** The next event, a JSON text; empty when none came for so many milliseconds. */
  receive(milliseconds) {
    const event = this.#events.shift();
    if (event !== undefined) return Promise.resolve(event);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#receiver?.(""), milliseconds);
      this.#receiver = (event) => {
        clearTimeout(timer);
        this.#receiver = undefined;
        resolve(event);
      };
    });
  }

  async close() {
    this.#closing = true;
    await this.ask({ close: true });
    this.#socket.end();
  }

  #take({ id, answer, event }) {
    if (event !== undefined) {
      if (this.#receiver) this.#receiver(event);
      else this.#events.push(event);
      return;
    }
    this.#asked.get(id)?.(answer);
    this.#asked.delete(id);
  }

  /** A program whose test is gone ends, too. */
  #lost() {
    if (!this.#closing) process.exit(70);
  }
}

exports.CoreLink = CoreLink;
