import type { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentDeps } from "../../../src/tools/call/agent.js";
import { Background } from "../../../src/tools/call/background.js";
import { register, type Tool } from "../../../src/tools/call/tool.js";
import { FakeWork, newActions, request } from "../actions/support.js";

const Nothing = z.object({});

/** Calls a tool as the server does. */
function calling(deps: Partial<AgentDeps>, run: Tool<typeof Nothing, typeof Nothing>["run"]) {
  let handler: ((input: object, context: object) => unknown) | undefined;
  const server = {
    registerTool: (_name: string, _config: object, handle: typeof handler) => (handler = handle),
  };
  register(server as unknown as McpServer, deps as AgentDeps, {
    name: "leave",
    title: "Leave",
    description: "",
    input: Nothing,
    output: Nothing,
    annotations: {},
    run,
  });
  return handler?.({}, { mcpReq: { signal: new AbortController().signal } });
}

describe("a call whose result cannot be made", () => {
  it("lets its action go, for the same call to come back", async () => {
    const { actions, clock } = newActions();
    const logged: string[] = [];
    const deps = { actions, clock, background: new Background(), log: (line: string) => logged.push(line) };
    const result = await calling(deps, async (_deps, _input, call) => {
      await actions.open(request(new FakeWork()), call);
      throw new Error("This cannot be shown");
    });
    expect(result).toEqual({ content: [{ type: "text", text: "This cannot be shown" }], isError: true });
    expect(actions.all().map(({ calls }) => calls.size)).toEqual([0]);
    expect(logged).toEqual([expect.stringMatching(/^leave: Error: This cannot be shown\n/)]);
    await actions.stop();
  });
});
