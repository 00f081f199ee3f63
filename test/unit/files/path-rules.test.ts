import { expect, test } from "vitest";
import { absolutePath, credentialPlace, refusalOf } from "../../../src/files/outgoing/path-rules.js";

const own = {
  root: "/home/a/.simplex-mcp/agent",
  files: "/home/a/.simplex-mcp/agent/files",
  sent: "/home/a/.simplex-mcp/agent/files/sent",
};

test.each([
  ["/home/a/report.pdf", undefined],
  ["/tmp/x", undefined],
  ["/home/a/.config/app/settings.json", undefined],
  ["/home/a/ssh/x", undefined],
  ["/home/a/my.ssh/x", undefined],
  ["/home/a/.simplex-mcp/agent/files/group-15/7.pdf", undefined],
  ["/home/a/.simplex-mcp/agent", "is in the agent's data folder"],
  ["/home/a/.simplex-mcp/agent/token", "is in the agent's data folder"],
  ["/home/a/.simplex-mcp/agent/simplex_chat.db", "is in the agent's data folder"],
  ["/home/a/.simplex-mcp/agent/forwarded/group-15/7.pdf", "is in the agent's data folder"],
  ["/home/a/.simplex-mcp/agent/files/sent/send-1/x.pdf", "is in the agent's data folder"],
  ["/home/a/.simplex-mcp/agent/filesystem", "is in the agent's data folder"],
  ["/home/a/.simplex-mcp/other/files/x", "is in a place for credentials (.simplex-mcp)"],
  ["/home/a/.ssh/id_ed25519", "is in a place for credentials (.ssh)"],
  ["/home/a/.SSH/id_ed25519", "is in a place for credentials (.ssh)"],
  ["/root/.gnupg/x/y", "is in a place for credentials (.gnupg)"],
  ["/home/a/.aws/credentials", "is in a place for credentials (.aws)"],
  ["/home/a/.config/gh/hosts.yml", "is in a place for credentials (.config/gh)"],
  ["/home/a/.kube/config", "is in a place for credentials (.kube)"],
  ["/home/a/.docker/config.json", "is in a place for credentials (.docker)"],
  ["/home/a/.netrc", "is in a place for credentials (.netrc)"],
  ["/home/a/.npmrc", "is in a place for credentials (.npmrc)"],
  ["/home/a/.mozilla/firefox/x/logins.json", "is in a place for credentials (.mozilla)"],
  [
    "/Users/a/Library/Application Support/Google/Chrome/Default/Cookies",
    "is in a place for credentials (Library/Application Support/Google/Chrome)",
  ],
  [
    "C:\\Users\\a\\AppData\\Local\\Google\\Chrome\\x",
    "is in a place for credentials (AppData/Local/Google/Chrome)",
  ],
  ["/proc/self/environ", "belongs to the system"],
  ["/sys/kernel/x", "belongs to the system"],
  ["/dev/shm/x", "belongs to the system"],
  ["/development/x", undefined],
])("of a file at %s is said: %s", (path, why) => {
  expect(refusalOf(path, own)).toBe(why);
});

test("a credential file is one by its whole name", () => {
  expect(credentialPlace("/home/a/.npmrc.example")).toBeUndefined();
  expect(credentialPlace("/home/a/.config/ghost/x")).toBeUndefined();
});

test.each([
  ["/a/b", "/a/b"],
  ["~", "/home/a"],
  ["~/b", "/home/a/b"],
  ["~b/c", undefined],
  ["b", undefined],
  ["./b", undefined],
  ["", undefined],
])("the path %j means %j", (path, meant) => {
  expect(absolutePath(path, "/home/a")).toBe(meant);
});
