import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { ServerContext } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import type { z } from "zod";
import { Actions } from "../../../src/actions/actions.js";
import { Pause } from "../../../src/actions/pause.js";
import { ControlChat } from "../../../src/control/chat/chat.js";
import { Forward } from "../../../src/control/commands/forward.js";
import { Control } from "../../../src/control/control.js";
import { FileNotices } from "../../../src/control/file-notices.js";
import { MeetingNotices } from "../../../src/control/meeting-notices.js";
import { Owners } from "../../../src/control/owners/owners.js";
import { StandingApprovals } from "../../../src/control/standing/standing-approvals.js";
import { pictureRoom } from "../../../src/control/texts/cards.js";
import { textTooLong } from "../../../src/control/texts/size.js";
import { Core } from "../../../src/core/core.js";
import { EventQueue } from "../../../src/core/events.js";
import type { User } from "../../../src/core/types.js";
import { dataPaths } from "../../../src/data-folder/paths.js";
import { AgentFiles } from "../../../src/files/agent-files.js";
import type { RunProgram } from "../../../src/files/pictures/videos.js";
import { HeldAddress } from "../../../src/incoming/held-address.js";
import { Incoming } from "../../../src/incoming/incoming.js";
import { OwnLinks } from "../../../src/incoming/links.js";
import { ChatNames } from "../../../src/messages/chat-names.js";
import { Claims } from "../../../src/messages/claims.js";
import { ChatItemsWatch } from "../../../src/messages/watch.js";
import type { AgentDeps, ApprovalMode } from "../../../src/tools/call/agent.js";
import { Background } from "../../../src/tools/call/background.js";
import { ToolCall } from "../../../src/tools/call/call.js";
import { Connections } from "../../../src/tools/call/connections.js";
import { readChat } from "../../../src/tools/call/known-chat.js";
import type { Tool } from "../../../src/tools/call/tool.js";
import { leaveChat } from "../../../src/tools/leave.js";
import { FakeClock } from "../../world/clock.js";
import { FakeCore } from "./fake-core.js";

const USER: User = {
  userId: 1,
  localDisplayName: "My Agent",
  profile: { displayName: "My Agent", fullName: "", localAlias: "" },
};

/** A call of a tool, and what its client saw meanwhile. */
export interface OpenToolCall<Result> {
  outcome: Promise<{ result: Result; isError?: boolean } | undefined>;
  progress: string[];
  abort(): void;
}

/** An empty folder without links in its path, deleted after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "files-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The parts of a server that files go through, on a fake core and a real folder. */
export async function newBench({ mode = "requests", run }: { mode?: ApprovalMode; run?: RunProgram } = {}) {
  const root = await temporaryFolder();
  const paths = dataPaths(join(root, "data"));
  await mkdir(paths.sent, { recursive: true, mode: 0o700 });
  const home = join(root, "home");
  await mkdir(home);
  const clock = new FakeClock({ settle: async () => void (await turn()) });
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const fake = new FakeCore();
  const core = new Core(fake, clock);
  const { chat } = await ControlChat.open(core, USER, { displayName: "My Agent", reset: false, clock, log });
  const owners = new Owners({
    chat,
    policy: { kind: "any" },
    print: () => undefined,
    log,
    showLink: () => undefined,
    lateJoiners: async () => false,
    onReady: () => undefined,
  });
  await owners.load();
  const notices = new FileNotices({ say: (text) => chat.say(text), clock, log });
  const files = new AgentFiles({
    core,
    userId: USER.userId,
    clock,
    paths,
    log,
    onNotSent: (failure) => notices.notSent(failure),
    home,
    ...(run ? { run } : {}),
  });
  const names = new ChatNames();
  core.onAnswer((answer) => names.hear(answer));
  const control = new Control({
    names,
    chat,
    owners,
    files: { kept: (ref) => files.folders.kept(ref), delete: (ref) => files.deleteOf(ref) },
    forward: new Forward({ chat, files, log }),
    print: () => undefined,
    log,
    onGone: () => undefined,
  });
  const standing = new StandingApprovals({
    core,
    enabled: mode === "requests",
    isApproverSince: (member, time) => owners.isApproverSince(member, time),
    clock,
  });
  const freed = { has: () => false, add: async () => undefined };
  const pause = new Pause({ saved: undefined, save: async () => undefined });
  const actions = new Actions({
    board: control,
    pause,
    clock,
    firstNumber: 1,
    expireHours: 23,
    log,
    limits: { pending: 50, cardsPerMinute: 1000 },
  });
  const deps: AgentDeps = {
    core,
    user: USER,
    clock,
    actions,
    pause,
    watch: new ChatItemsWatch(clock),
    claims: new Claims(),
    links: new OwnLinks(core, USER),
    connections: new Connections(),
    leaving: new Map(),
    background: new Background(),
    standing,
    freed,
    viewer: { name: "My Agent", filesFolder: paths.files },
    files,
    pictureRoom: (fields) => pictureRoom(fields, textTooLong),
    report: async () => undefined,
    tellRefused: (ref, path, why) => notices.refused(ref, path, why),
    controlChat: "#1",
    mode,
    holdMs: 0,
    log,
  };
  const incoming = new Incoming({
    core,
    agentCore: core,
    user: USER,
    clock,
    actions,
    notices: new MeetingNotices({ say: (text) => chat.say(text), clock }),
    cutToCard: (fields) => fields,
    onAccepted: async () => undefined,
    log,
  });
  control.serve({
    core,
    user: USER,
    clock,
    actions,
    pause,
    standing,
    freed,
    links: deps.links,
    heldAddress: new HeldAddress({ links: deps.links, incoming, saved: false, save: async () => undefined }),
    incoming,
    controlChat: "#1",
    mode,
    bytesTooLong: textTooLong,
    leave: async (ref, by) =>
      leaveChat(deps, await readChat(deps, ref), { by, reason: "The owner left this chat." }),
    print: () => undefined,
  });
  const events = new EventQueue(
    async (event) => {
      files.onEvent(event);
      await control.onEvent(event);
    },
    (error) => log(String(error)),
  );
  core.onEvent((event) => events.push(event));
  events.open();
  onTestFinished(async () => {
    files.close();
    await events.idle();
  });

  /** Calls the tool; its result counts as written out as soon as it is there, or after `beforeWritten`. */
  function call<Input extends z.ZodObject, Output extends z.ZodObject>(
    tool: Tool<Input, Output>,
    input: z.input<Input>,
    beforeWritten: () => Promise<unknown> = async () => undefined,
  ): OpenToolCall<z.input<Output>> {
    const abort = new AbortController();
    const progress: string[] = [];
    const toolCall = new ToolCall(fakeContext(abort.signal, progress), clock);
    const outcome = (async () => {
      const done = await tool.run(deps, tool.input.parse(input) as z.output<Input>, toolCall);
      toolCall.finish();
      if (done) await beforeWritten();
      await done?.onWritten?.();
      return (
        done && { result: done.result, ...(done.isError === undefined ? {} : { isError: done.isError }) }
      );
    })();
    // A test may look at it later than it rejects.
    outcome.catch(() => undefined);
    return { outcome, progress, abort: () => abort.abort() };
  }

  return {
    root,
    home,
    paths,
    clock,
    logged,
    fake,
    core,
    files,
    actions,
    deps,
    call,
    control,
    events,
    standing,
  };
}

export type Bench = Awaited<ReturnType<typeof newBench>>;

/** The part of the SDK's context that a call reads. */
function fakeContext(signal: AbortSignal, progress: string[]): ServerContext {
  const mcpReq = {
    signal,
    _meta: { progressToken: 1 },
    notify: async ({ params }: { params?: { message?: string } }) => {
      progress.push(params?.message ?? "");
    },
  };
  return { mcpReq } as unknown as ServerContext;
}
