import { defineConfig } from "vitest/config";

/**
 * The flows on the real SimpleX library, against the servers that SIMPLEX_SMP_SERVER and SIMPLEX_XFTP_SERVER name.
 * Every user has a process of its own. One file at a time, unless several runs share the work by `--shard`.
 */

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    name: "real",
    include: ["test/flows/**/*.test.ts"],
    env: { TEST_WORLD: "real" },
    pool: "forks",
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
});
