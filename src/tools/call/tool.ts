import type {
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import { ActionRefused } from "../../actions/actions.js";
import { CoreError } from "../../core/errors/errors.js";
import { explain } from "../../core/errors/explain.js";
import { visibleText } from "../../text/for-agent.js";
import { advertised, advertisedInput } from "./advertised.js";
import type { AgentDeps, ApprovalMode } from "./agent.js";
import { ToolCall } from "./call.js";

/** An error that the agent can act on: one sentence that says what to do. */
export class ToolError extends Error {
  override name = "ToolError";
}

/** What a call gives back, and what follows once the client has it, or did not get it. */
export interface Outcome<Result> {
  result: Result;
  isError?: boolean;
  onWritten?: () => void | Promise<void>;
  onLost?: () => void;
}

export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  /** What the call does. Who decides about an outward one follows by the mode. */
  description: string;
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  /** The act is visible to others: an owner approves it, or in mode `host` the client's user. */
  outward?: boolean;
  run(deps: AgentDeps, input: z.output<Input>, call: ToolCall): Promise<Outcome<z.input<Output>> | undefined>;
}

const APPROVAL: Record<ApprovalMode, string> = {
  requests: "Waits for the owner's approval first, which may take hours.",
  host: "It is performed without an owner's approval: the client asks its user first.",
};

/** What clients are told of the tool. */
export function described(tool: Omit<Tool<z.ZodObject, z.ZodObject>, "run">, mode: ApprovalMode) {
  return {
    title: tool.title,
    description: tool.outward ? `${tool.description} ${APPROVAL[mode]}` : tool.description,
    inputSchema: advertisedInput(tool.input),
    outputSchema: advertised(tool.output),
    annotations: tool.annotations,
    ...(tool.outward && mode === "host" ? { _meta: { "anthropic/requiresUserInteraction": true } } : {}),
  };
}

/** Registers the tool on a server that lives for one request or one session. */
export function register<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  deps: AgentDeps,
  tool: Tool<Input, Output>,
): void {
  server.registerTool<StandardSchemaWithJSON, StandardSchemaWithJSON>(
    tool.name,
    described(tool, deps.mode),
    // The SDK has parsed the arguments with this schema; its type for them does not follow a generic one.
    (input, context) => runTool(deps, tool, input as z.output<Input>, context),
  );
}

async function runTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  deps: AgentDeps,
  tool: Tool<Input, Output>,
  input: z.output<Input>,
  context: ServerContext,
): Promise<CallToolResult> {
  const call = new ToolCall(context, deps.clock);
  try {
    const outcome = await tool.run(deps, input, call);
    call.finish();
    if (!outcome) return failure("The call was cancelled.");
    deps.background.run(settle(deps, call, outcome));
    return {
      content: [{ type: "text", text: JSON.stringify(outcome.result) }],
      structuredContent: { ...outcome.result },
      ...(outcome.isError ? { isError: true } : {}),
    };
  } catch (error) {
    call.finish();
    // It has no result to wait for: the same call comes back to its action.
    for (const action of deps.actions.all()) deps.actions.detach(action, call);
    if (error instanceof ToolError || error instanceof ActionRefused) return failure(error.message);
    if (!(error instanceof CoreError))
      deps.log(`${tool.name}: ${error instanceof Error ? error.stack : String(error)}`);
    return failure(explain(error));
  }
}

async function settle<Result>(deps: AgentDeps, call: ToolCall, outcome: Outcome<Result>): Promise<void> {
  try {
    if (await call.written) await outcome.onWritten?.();
    else outcome.onLost?.();
  } catch (error) {
    deps.log(`After a result was delivered: ${explain(error)}`);
  }
}

function failure(text: string): CallToolResult {
  return { content: [{ type: "text", text: visibleText(text) }], isError: true };
}
