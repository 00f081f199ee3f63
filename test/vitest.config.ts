import { defineConfig } from "vitest/config";

const REAL = "test/real/**";
const CLI = "test/cli/**/*.test.ts";
const BRIDGE = "test/bridge/**/*.test.ts";
/** These run a second time, with clients that start the bridge. */
const BRIDGED = "test/flows/{03-connect,04-send,05-receive,10-lost-call,13-download}.test.ts";

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: "code",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: [REAL, CLI, BRIDGE],
        },
      },
      {
        extends: true,
        test: {
          name: "bridge",
          include: [BRIDGE, BRIDGED],
          globalSetup: "test/cli/build.ts",
          env: { TEST_CLIENT: "bridge" },
        },
      },
      { extends: true, test: { name: "executable", include: [CLI], globalSetup: "test/cli/build.ts" } },
    ],
  },
});
