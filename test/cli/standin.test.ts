import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ChatApiLike, CoreJson } from "../../src/core/api/chat-api.js";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import { CoreHost } from "./core-host.js";
import { temporaryFolder } from "./folders.js";

type Subscriber = (event: CoreJson) => unknown;

/** The library's surface, as it is documented. */
interface LibraryApi extends ChatApiLike {
  readonly initialized: boolean;
  readonly started: boolean;
  readonly ctrl: bigint;
  stopChat(): Promise<void>;
  recvChatEvent(wait?: number): Promise<CoreJson | undefined>;
  on(events: string | Record<string, Subscriber>, subscriber?: Subscriber): void;
  once(tag: string, subscriber: Subscriber): void;
  off(tag: string, subscriber?: Subscriber): void;
  offAny(subscriber?: Subscriber): void;
  wait(tag: string, predicate?: ((event: CoreJson) => boolean) | number, timeout?: number): Promise<CoreJson>;
}

interface Library {
  readonly api: { ChatApi: { init(db: object, confirm?: string): Promise<LibraryApi> } };
  readonly core: { ChatAPIError: ErrorConstructor; ChatInitError: ErrorConstructor };
  readonly util: { chatInfoRef(chat: object): object | undefined };
}

const standin: Library = createRequire(import.meta.url)("../standin");

let network: SimulatedNetwork;
let filePrefix: string;
beforeEach(async () => {
  network = new SimulatedNetwork();
  filePrefix = join(await temporaryFolder(), "simplex");
  const host = await CoreHost.listen(network);
  for (const [name, value] of Object.entries(host.env)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

async function open(): Promise<LibraryApi> {
  const api = await standin.api.ChatApi.init({ type: "sqlite", filePrefix }, "yesUp");
  onTestFinished(async () => {
    if (api.initialized) await api.close();
  });
  return api;
}

/** An opened database with a user, whose chat is started. */
async function started(): Promise<LibraryApi> {
  const api = await open();
  await api.sendChatCmd(
    '/_create user {"profile":{"displayName":"Bob","fullName":""},"pastTimestamp":false}',
  );
  await api.startChat();
  return api;
}

/** Makes events of type `hostConnected`. */
const reachServer = (api: LibraryApi) => api.sendChatCmd("/_address 1");

describe("the stand-in for the SimpleX library", () => {
  it("is imported and required alike", async () => {
    const imported = await import(createRequire(import.meta.url).resolve("../standin"));
    expect(imported.api.ChatApi).toBe(standin.api.ChatApi);
    expect(imported.core).toBe(standin.core);
    expect(imported.util).toBe(standin.util);
  });

  it("is open from init to close, and started from startChat to stopChat", async () => {
    const api = await open();
    expect([api.initialized, api.started, typeof api.ctrl]).toEqual([true, false, "bigint"]);
    await api.sendChatCmd(
      '/_create user {"profile":{"displayName":"Bob","fullName":""},"pastTimestamp":false}',
    );
    await api.startChat();
    expect(api.started).toBe(true);
    await api.stopChat();
    expect([api.initialized, api.started]).toEqual([true, false]);
    await api.close();
    expect(api.initialized).toBe(false);
    await expect(api.sendChatCmd("/version")).rejects.toThrow("chat api controller not initialized");
  });

  it("throws the core's errors with their JSON", async () => {
    const api = await open();
    const thrown = await api.sendChatCmd("/nonsense").catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(standin.core.ChatAPIError);
    expect(thrown).toMatchObject({ chatError: { type: "error", errorType: { type: "commandError" } } });
  });

  it("throws what is wrong with the databases", async () => {
    const dbMigrationError = { type: "errorNotADatabase", dbFile: `${filePrefix}_chat.db` };
    vi.stubEnv("SIMPLEX_STANDIN_FAILURE", JSON.stringify({ dbMigrationError }));
    const thrown = await open().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(standin.core.ChatInitError);
    expect(thrown).toMatchObject({ dbMigrationError });
  });

  it("hands events to who subscribed to their type, then to who takes any", async () => {
    const api = await started();
    const got: string[] = [];
    api.on("hostConnected", () => got.push("type"));
    api.on({ subscriptionEnd: () => got.push("other type") });
    const first = api.wait("hostConnected");
    api.onAny(({ type }) => void got.push(type));
    await reachServer(api);
    expect(await first).toMatchObject({ type: "hostConnected" });
    await vi.waitFor(() => expect(got).toEqual(["type", "hostConnected"]));
  });

  it("hands no events to who unsubscribed, or had theirs", async () => {
    const api = await started();
    const subscriber = vi.fn();
    const once = vi.fn();
    api.on("hostConnected", subscriber);
    expect(() => api.on("hostConnected", subscriber)).toThrow("already subscribed to hostConnected");
    api.off("hostConnected", subscriber);
    api.onAny(subscriber);
    api.offAny(subscriber);
    api.once("hostConnected", once);
    const last = api.wait("hostConnected", () => once.mock.calls.length > 0);
    await reachServer(api);
    await last;
    expect(once).toHaveBeenCalledOnce();
    expect(subscriber).not.toHaveBeenCalled();
  });

  it("prints what a subscriber throws, and goes on", async () => {
    const api = await started();
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    const failure = new Error("not today");
    api.onAny(() => {
      throw failure;
    });
    const seen = new Promise((resolve) => api.onAny(resolve));
    await reachServer(api);
    await seen;
    expect(log).toHaveBeenCalledWith("hostConnected event processing error", failure);
  });

  it("waits for an event no longer than it was told", async () => {
    const api = await started();
    expect(await api.wait("chatSuspended", 1)).toBe(undefined);
    expect(await api.wait("chatSuspended", () => true, 1)).toBe(undefined);
  });

  it("knows the chats that messages can be sent to", () => {
    expect(standin.util.chatInfoRef({ type: "group", groupInfo: { groupId: 7 } })).toEqual({
      chatType: "group",
      chatId: 7,
    });
    expect(standin.util.chatInfoRef({ type: "contactRequest" })).toBe(undefined);
  });
});
