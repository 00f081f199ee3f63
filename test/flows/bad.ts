import { expect } from "vitest";
import type { TestAgent } from "../world/agent.js";
import type { TestClient } from "../world/client.js";

/** Commands that only read. */
const READS = /^\/(?:_get |_members |_connect plan |_servers |_show_address |version$)/;

/** The commands since the last look that did anything. */
export function effects(agent: TestAgent): string[] {
  return agent.newCommands().filter((command) => !READS.test(command));
}

/** Expects that a tool refuses these arguments with exactly this sentence, and that nothing was done. */
export async function refuses(
  { agent, client }: { agent: TestAgent; client: TestClient },
  [tool, input]: readonly [tool: string, input: Record<string, unknown>],
  text: string,
): Promise<void> {
  agent.newCommands();
  const what = `${tool} ${JSON.stringify(input).slice(0, 200)}`;
  expect(await client.use(tool, input), what).toEqual({ data: undefined, text, isError: true });
  expect(effects(agent), what).toEqual([]);
}
