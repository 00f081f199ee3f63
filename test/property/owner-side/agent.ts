import type { ServerContext } from "@modelcontextprotocol/server";
import { ActionRefused } from "../../../src/actions/actions.js";
import { Core } from "../../../src/core/core.js";
import { CoreError } from "../../../src/core/errors/errors.js";
import { explain } from "../../../src/core/errors/explain.js";
import { EventQueue } from "../../../src/core/events.js";
import { dataPaths } from "../../../src/data-folder/paths.js";
import { ChatNames } from "../../../src/messages/chat-names.js";
import type { ServeOptions } from "../../../src/serve/options.js";
import { handle, makeParts, type Parts, serveOwners } from "../../../src/serve/parts.js";
import { agentUser, bootCore } from "../../../src/serve/start.js";
import { ask } from "../../../src/tools/ask.js";
import { ToolCall } from "../../../src/tools/call/call.js";
import { type Outcome, ToolError } from "../../../src/tools/call/tool.js";
import { connect } from "../../../src/tools/connect/connect.js";
import { leave } from "../../../src/tools/leave.js";
import { send } from "../../../src/tools/send/send.js";
import type { FakeClock } from "../../world/clock.js";
import type { Witness } from "./witness.js";

export type Request = { tool: "send" | "connect" | "leave" | "ask"; input: Record<string, unknown> };

export interface AgentWorld {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly expireHours: number;
}

/** A call of a tool without HTTP in between. */
export class Call {
  readonly abort = new AbortController();
  settled = false;
  result: Record<string, unknown> | undefined;
  /** A refusal, or a failure that is none. */
  error: unknown;

  constructor(readonly request: Request) {}

  get refused(): boolean {
    const { error } = this;
    return error instanceof ToolError || error instanceof ActionRefused || error instanceof CoreError;
  }
}

/** The parts of an agent, wired as `serve` does, without a listener. */
export class BareAgent {
  readonly printed: string[] = [];
  readonly logged: string[] = [];
  readonly calls: Call[] = [];

  private constructor(
    readonly parts: Parts,
    readonly core: Core,
    readonly events: EventQueue,
    lines: { printed: string[]; logged: string[] },
  ) {
    this.printed = lines.printed;
    this.logged = lines.logged;
  }

  static async boot(witness: Witness, { folder, clock, expireHours }: AgentWorld): Promise<BareAgent> {
    const lines = { printed: [] as string[], logged: [] as string[] };
    const print = (line: string) => void lines.printed.push(line);
    const log = (line: string) => void lines.logged.push(line);
    const options = optionsIn(folder, expireHours);
    const paths = dataPaths(folder);
    const core = new Core(witness, clock);
    let parts: Parts | undefined;
    const events = new EventQueue(
      async (event) => parts && (await handle(parts, event)),
      (error) => log(`An event could not be handled: ${explain(error)}`),
    );
    core.onEvent((event) => events.push(event));
    const names = new ChatNames();
    core.onAnswer((answer) => names.hear(answer));
    const { user, created } = await agentUser(core, options);
    const waiting = await bootCore(core, { user, created }, options, paths.tmp);
    const actionLimits = { pending: 50, cardsPerMinute: 1000 };
    const world = { openCore: async () => witness, clock, print, log, actionLimits };
    parts = await makeParts({ core, user, paths, options, world, onGone: log, names });
    witness.control = parts.chat.ref;
    await parts.owners.start();
    serveOwners(parts, print);
    await parts.incoming.restore(waiting);
    events.open();
    return new BareAgent(parts, core, events, lines);
  }

  /** `lose`: the result is not written out. */
  call(request: Request, { lose }: { lose: boolean }): Call {
    const call = new Call(request);
    this.calls.push(call);
    void this.#run(call, lose);
    return call;
  }

  async stop(): Promise<void> {
    const { control, actions, incoming, files, deps } = this.parts;
    control.stop();
    incoming.stop();
    this.events.close();
    files.close();
    await actions.stop();
    // As the listener does: a connection that is made may still wait for first messages.
    for (const { settled, request, abort } of this.calls) {
      if (!settled && request.tool === "connect") abort.abort();
    }
    await this.events.idle();
    await deps.background.idle();
    await incoming.idle();
    await this.core.close();
  }

  async #run(call: Call, lose: boolean): Promise<void> {
    const { deps } = this.parts;
    // All that a call takes of its context without a progress token.
    const context = { mcpReq: { signal: call.abort.signal } } as unknown as ServerContext;
    const toolCall = new ToolCall(context, deps.clock);
    try {
      const outcome = await this.#outcome(call.request, toolCall);
      toolCall.finish();
      if (!outcome) return;
      call.result = { ...outcome.result };
      if (lose) outcome.onLost?.();
      else await outcome.onWritten?.();
    } catch (error) {
      call.error = error;
    } finally {
      call.settled = true;
    }
  }

  async #outcome({ tool, input }: Request, call: ToolCall): Promise<Outcome<object> | undefined> {
    const { deps } = this.parts;
    switch (tool) {
      case "send":
        return await send.run(deps, send.input.parse(input), call);
      case "connect":
        return await connect.run(deps, connect.input.parse(input), call);
      case "ask":
        return await ask.run(deps, ask.input.parse(input), call);
      case "leave":
        return await leave.run(deps, leave.input.parse(input), call);
    }
  }
}

function optionsIn(dataFolder: string, expireHours: number): ServeOptions {
  return {
    agent: "my-agent",
    displayName: "My Agent",
    dataFolder,
    dataOption: undefined,
    port: undefined,
    approve: "requests",
    owners: { kind: "any" },
    resetOwners: false,
    expireHours,
    stopWaitSeconds: 0,
    qrCode: "none",
    socksProxy: undefined,
    smpServers: [],
    xftpServers: [],
    holdSeconds: 0,
  };
}
