import { defineConfig } from "vitest/config";

/** Not part of `npm test`: Claude Code is fetched, some hundred megabytes. */
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["test/claude/**/*.claude.ts"],
    globalSetup: ["test/cli/build.ts", "test/claude/install.ts"],
    testTimeout: 120_000,
  },
});
