import { defineConfig } from "vitest/config";

/** Not part of `npm test`: the clients are fetched, some hundred megabytes. */
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["test/clients/**/*.clients.ts"],
    globalSetup: ["test/cli/build.ts", "test/clients/install.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
