import { describe, expect, it } from "vitest";
import { dataPaths } from "../../../src/data-folder/paths.js";
import { registrationOf } from "../../../src/register/registration.js";
import { registration, SERVER } from "./registrations.js";

describe("a registration", () => {
  it("has what clients need, and the token nowhere", () => {
    expect(registration()).toEqual({
      name: "simplex-my-agent",
      variable: "SIMPLEX_MY_AGENT_TOKEN",
      url: "http://127.0.0.1:5226/mcp",
      timeoutMs: 169_800_000,
      headersHelper: "cat /data/headers.json",
      bridge: { command: "npx", args: ["-y", "@simplex-chat/mcp", "bridge", "my-agent"] },
      headersFile: "/data/headers.json",
      tokenFile: "/data/token",
    });
  });

  it("lets a call wait as long as its action may, a day more, and ten minutes", () => {
    const timeout = (expireHours: number) =>
      registrationOf("a", { ...SERVER, expireHours }, dataPaths("/data"), registration()).timeoutMs;
    expect(timeout(1)).toBe(25 * 3_600_000 + 600_000);
    expect(timeout(23)).toBe(47 * 3_600_000 + 600_000);
  });

  it.each([
    ["my.agent", "simplex-my-dot-agent", "SIMPLEX_MY_DOT_AGENT_TOKEN"],
    ["My_Agent-2", "simplex-My_Agent-2", "SIMPLEX_MY_AGENT_2_TOKEN"],
  ])("names %s as clients allow it", (agent, name, variable) => {
    expect(registration(agent)).toMatchObject({ name, variable });
  });
});
