import { defineConfig } from "vitest/config";

/**
 * The flows on the real SimpleX library, against the servers that SIMPLEX_SMP_SERVER and SIMPLEX_XFTP_SERVER name.
 * Every user holds threads of libuv's pool, whose size counts when Node starts: so it is set here, for the processes
 * that run the tests. One file at a time: they share the servers, and the name resolver's file.
 */
process.env.UV_THREADPOOL_SIZE ??= "128";

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
