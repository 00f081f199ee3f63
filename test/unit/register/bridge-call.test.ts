import { expect, it } from "vitest";
import { bridgeCall } from "../../../src/register/bridge-call.js";

const LINUX = { platform: "linux", node: "/opt/node/bin/node" } as const;
const WINDOWS = { platform: "win32", node: "C:\\Program Files\\nodejs\\node.exe" } as const;
const NPX = ["npx", "-y", "@simplex-chat/mcp"];

it("the published program is started by npx, its data folder named where it was given", () => {
  const args = ["-y", "@simplex-chat/mcp", "bridge", "my-agent"];
  expect(bridgeCall("my-agent", undefined, LINUX, NPX)).toEqual({ command: "npx", args });
  expect(bridgeCall("my-agent", "/my data", LINUX, NPX)).toEqual({
    command: "npx",
    args: [...args, "--data", "/my data"],
  });
});

it("Windows runs npx, which is a script, by cmd", () => {
  expect(bridgeCall("my-agent", undefined, WINDOWS, NPX)).toEqual({
    command: "cmd",
    args: ["/c", "npx", "-y", "@simplex-chat/mcp", "bridge", "my-agent"],
  });
});

it("a clone is started by this very Node.js, which the PATH of a desktop may lack", () => {
  for (const machine of [LINUX, WINDOWS]) {
    expect(bridgeCall("my-agent", undefined, machine, ["node", "/clone/bin/simplex-mcp.cjs"])).toEqual({
      command: machine.node,
      args: ["/clone/bin/simplex-mcp.cjs", "bridge", "my-agent"],
    });
  }
});
