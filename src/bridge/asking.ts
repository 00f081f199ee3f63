import type { Agent } from "./agent.js";
import { claimedVersion, legacyAnswer, MODERN } from "./eras.js";
import { type Forwarded, forward } from "./forward.js";
import { type Answer, failure, METHOD_NOT_FOUND, type Request, result } from "./json-rpc.js";
import type { Listing, Listings } from "./listing.js";
import { discovered, listed, unsupported } from "./local.js";
import type { ToolsWatch } from "./tools-watch.js";

export interface AskingOptions {
  readonly agent: Agent;
  /** How an agent is called while it does not run. */
  readonly title: string;
  /** Of the bridge. */
  readonly version: string;
  readonly send: (message: object) => Promise<boolean>;
  readonly listings: () => Promise<Listings>;
  readonly tools: ToolsWatch;
  /** A line for a person. */
  readonly log: (line: string) => void;
}

/** What a running agent answers at once; one that hangs does not keep the client from its start. Milliseconds. */
const PATIENCE_MS = 2000;

/** Asks the agent, and speaks for it while it does not run. Where it is, and who, is found out at each request. */
export class Asking {
  readonly #options: AskingOptions;
  readonly #told = new Set<string>();

  constructor(options: AskingOptions) {
    this.#options = options;
  }

  /** Throws what explains itself when there is no answer. `acknowledged`: see `forward`. */
  async forward(
    request: Request,
    { signal, acknowledged }: { signal: AbortSignal; acknowledged: boolean },
  ): Promise<Forwarded> {
    const { agent, version, tools, send } = this.#options;
    const target = await agent.find();
    this.#compare(target.version);
    await tools.seen(target);
    const options = { agent, target, version, signal, acknowledged, notify: send };
    const forwarded = await forward(request, options);
    if (request.method === "tools/list") tools.listed(target, isModern(request));
    return forwarded;
  }

  /** The agent's answer to what waits for no person, or what the bridge knows without the agent. */
  async ask(request: Request, signal: AbortSignal): Promise<Answer> {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      const { answer, acknowledge } = await this.forward(request, { signal: patience, acknowledged: false });
      await acknowledge();
      return answer;
    } catch (error) {
      if (!signal.aborted) this.#tell(messageOf(error));
      return inEra(request, await this.#own(request));
    }
  }

  /** In the modern era. */
  async #own(request: Request): Promise<Answer> {
    const { id, method } = request;
    const claimed = claimedVersion(request);
    if (claimed !== undefined && claimed !== MODERN) return unsupported(request, claimed);
    const { title, version } = this.#options;
    const info = { name: "simplex", title: `SimpleX: ${title}`, version };
    if (method === "server/discover") return result(id, discovered(await this.#listing(request), info));
    if (method === "tools/list") return result(id, listed(await this.#listing(request), info));
    return failure(id, METHOD_NOT_FOUND, "Method not found");
  }

  async #listing(request: Request): Promise<Listing> {
    const { agent, version, listings, tools } = this.#options;
    const last = await agent.lastStart().catch((error: unknown) => this.#tell(messageOf(error)));
    if (last) this.#compare(last.version);
    const approve = last?.approve ?? "requests";
    if (request.method === "tools/list") tools.listed({ version, approve }, isModern(request));
    return (await listings())[approve];
  }

  #compare(theirs: string): void {
    const { agent, version } = this.#options;
    if (theirs === version) return;
    this.#tell(`${agent.name} has version ${theirs}, this bridge ${version}. Update the older of the two.`);
  }

  /** Each line once. */
  #tell(line: string): void {
    if (this.#told.has(line)) return;
    this.#told.add(line);
    this.#options.log(line);
  }
}

/** The answer as the era of the request has it. */
export function inEra(request: Request, answer: Answer): Answer {
  return isModern(request) ? answer : legacyAnswer(answer);
}

export function isModern(request: Request): boolean {
  return claimedVersion(request) !== undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
