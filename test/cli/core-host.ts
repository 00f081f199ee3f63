import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { CoreJson } from "../../src/core/api/chat-api.js";
import { ChatAPIError } from "../../src/simulator/data/errors.js";
import type { SimulatedNetwork } from "../../src/simulator/network.js";
import { temporaryFolder } from "./folders.js";

const request = z.object({
  id: z.int(),
  open: z.string().optional(),
  threads: z.string().optional(),
  command: z.string().optional(),
  close: z.boolean().optional(),
});
type Request = z.infer<typeof request>;

type Api = ReturnType<SimulatedNetwork["open"]>;

/** A core that the program opened. */
export interface OpenedCore {
  readonly filePrefix: string;
  /** `UV_THREADPOOL_SIZE`, as the library found it. */
  readonly threads: string | undefined;
  readonly api: Api;
}

/**
 * Holds the cores of programs in the test's own simulated network: their commands and events travel over a socket,
 * so what a program did to its databases outlives it.
 */
export class CoreHost {
  readonly opened: OpenedCore[] = [];
  /** Whether commands get no answer. */
  stuck = false;
  readonly #sockets = new Set<Socket>();
  readonly #network: SimulatedNetwork;

  private constructor(
    network: SimulatedNetwork,
    /** What makes a program find this host. */
    readonly env: Readonly<Record<string, string>>,
  ) {
    this.#network = network;
  }

  static async listen(network: SimulatedNetwork): Promise<CoreHost> {
    const path = join(await temporaryFolder(), "core.sock");
    const host = new CoreHost(network, { SIMPLEX_STANDIN_SOCKET: path });
    const server = createServer((socket) => host.#serve(socket));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => host.#close(server));
    return host;
  }

  /** Something else than an event comes where events come: `{error}` is the core's own failure, behind no command. */
  tell(envelope: { readonly error?: CoreJson }): void {
    for (const socket of this.#sockets) send(socket, { event: JSON.stringify(envelope) });
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    let api: Api | undefined;
    const lines = createInterface({ input: socket });
    lines.on("line", async (line) => {
      const asked = request.parse(JSON.parse(line));
      if (asked.open !== undefined) api = this.#open(socket, asked.open, asked.threads);
      if (asked.command !== undefined && this.stuck) return;
      const answer = api ? await answerTo(api, asked) : {};
      send(socket, { id: asked.id, answer: JSON.stringify(answer) });
    });
    // A program that was killed has lost its core as well.
    socket.on("close", () => {
      this.#sockets.delete(socket);
      void api?.close();
    });
    // The interface passes the socket's errors on; the close that follows them is what counts.
    lines.on("error", () => socket.destroy());
  }

  #open(socket: Socket, filePrefix: string, threads: string | undefined): Api {
    const api = this.#network.open(filePrefix);
    api.onAny((event) => send(socket, { event: JSON.stringify({ result: event }) }));
    this.opened.push({ filePrefix, threads, api });
    return api;
  }

  async #close(server: Server): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** The core's answer in its envelope. */
async function answerTo(
  api: Api,
  { command, close }: Request,
): Promise<{ result?: CoreJson; error?: CoreJson }> {
  try {
    if (close) await api.close();
    if (command === undefined) return {};
    if (command === "/_start main=on") return { result: await api.startChat() };
    if (command !== "/_stop") return { result: await api.sendChatCmd(command) };
    await api.stopChat();
    return { result: { type: "chatStopped" } };
  } catch (error) {
    if (error instanceof ChatAPIError) return { error: error.chatError };
    throw error;
  }
}

function send(socket: Socket, message: object): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}
