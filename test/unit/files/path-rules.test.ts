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
  ["/home/a/.simplex/simplex_v1_chat.db", "is in a place for credentials (.simplex)"],
  ["/home/a/.electrum/wallets/default_wallet", "is in a place for credentials (.electrum)"],
  ["/home/a/.ethereum/keystore/x", "is in a place for credentials (.ethereum)"],
  ["/home/a/.config/sops/age/keys.txt", "is in a place for credentials (.config/sops)"],
  ["/home/a/.cloudflared/cert.pem", "is in a place for credentials (.cloudflared)"],
  ["/home/a/.cache/huggingface/token", "is in a place for credentials (.cache/huggingface/token)"],
  ["/home/a/.config/composer/auth.json", "is in a place for credentials (.config/composer/auth.json)"],
  ["/srv/app/.env", "is in a place for credentials (.env)"],
  ["/srv/app/.env.production", "is in a place for credentials (.env.production)"],
  ["/srv/app/.ENV.local", "is in a place for credentials (.env.local)"],
  ["/srv/app/.envrc", "is in a place for credentials (.envrc)"],
  ["/srv/app/.env.example", undefined],
  ["/srv/app/.environment", undefined],
  ["/srv/app/env", undefined],
  ["/home/a/.bash_history", "is in a place for credentials (.bash_history)"],
  ["/home/a/.zsh_history", "is in a place for credentials (.zsh_history)"],
  ["/home/a/.psql_history", "is in a place for credentials (.psql_history)"],
  [
    "/home/a/.local/share/fish/fish_history",
    "is in a place for credentials (.local/share/fish/fish_history)",
  ],
  ["/home/a/school/history", undefined],
  ["/mnt/usb/wallet.dat", "is in a place for credentials (wallet.dat)"],
  ["/mnt/usb/my passwords.kdbx", "is in a place for credentials (my passwords.kdbx)"],
  ["/srv/app/release.jks", "is in a place for credentials (release.jks)"],
  ["/srv/app/id.p12", "is in a place for credentials (id.p12)"],
  ["/mnt/usb/bot_agent.db", "is in a place for credentials (bot_agent.db)"],
  ["/mnt/usb/bot_chat.db-wal", "is in a place for credentials (bot_chat.db-wal)"],
  ["/mnt/usb/chat.db", undefined],
  ["/run/secrets/db_password", "belongs to the system"],
  ["/var/run/secrets/kubernetes.io/serviceaccount/token", "belongs to the system"],
  ["/home/a/run/secrets/x", undefined],
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
