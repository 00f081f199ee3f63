import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { SimulatedNetwork } from "../../src/simulator/network.js";
import { computer, freePort, mcpClient, stop } from "./agent.js";
import { appWithoutLibrary, appWithStandin } from "./app.js";
import { CoreHost } from "./core-host.js";
import { temporaryFolder } from "./folders.js";
import type { App } from "./make-app.js";
import { Program } from "./program.js";

/** Notes the address of each module that is loaded, one a line, in a file, before it is loaded. */
const HOOKS = `
  import { appendFileSync } from "node:fs";
  let file;
  export const initialize = (given) => { file = given; };
  export const load = (url, context, next) => {
    appendFileSync(file, url + "\\n");
    return next(url, context);
  };`;

/** An environment in which programs note what they load, and a look at what of their own code that was. */
async function watchLoading(): Promise<{
  env: Record<string, string>;
  loaded: (app: App) => Promise<string[]>;
}> {
  const folder = await temporaryFolder();
  const [hooks, preload, notes] = ["hooks.mjs", "preload.mjs", "notes"].map((name) => join(folder, name));
  if (!hooks || !preload || !notes) throw new Error("No folder.");
  await writeFile(hooks, HOOKS);
  const data = JSON.stringify(notes);
  const address = JSON.stringify(pathToFileURL(hooks).href);
  await writeFile(
    preload,
    `import { register } from "node:module"; register(${address}, { data: ${data} });`,
  );
  return {
    env: { NODE_OPTIONS: `--import=${pathToFileURL(preload).href}` },
    loaded: async (app) => {
      const urls = (await readFile(notes, "utf8")).split("\n").filter((url) => url.startsWith("file:"));
      const paths = urls.map((url) => relative(join(app.folder, "dist"), fileURLToPath(url)));
      return paths.filter((path) => !path.startsWith(".."));
    },
  };
}

const SIMULATED = /^(simulator|demo)\//;

describe("what a program loads of its own code", () => {
  it("is nothing of the simulator or the demo where it serves, from the start over a call to the stop", async () => {
    const at = await computer(await CoreHost.listen(new SimulatedNetwork()));
    const app = appWithStandin();
    const { env, loaded } = await watchLoading();
    const data = ["--data", join(at.home, "data")];
    const program = Program.start({
      app,
      args: ["serve", "my-agent", ...data, "--port", String(await freePort())],
      home: at.home,
      env: { ...at.host.env, ...env },
    });
    await program.stdout.line(/^Listening on /);
    const client = await mcpClient(at);
    await client.callTool({ name: "list", arguments: {} });
    await stop(program);
    const modules = await loaded(app);
    expect(modules).toEqual(expect.arrayContaining(["cli.js", "serve/serve.js", "tools/list.js"]));
    expect(modules.filter((path) => SIMULATED.test(path))).toEqual([]);
  });

  it("is seen: the demo loads both", async () => {
    const app = appWithoutLibrary();
    const { env, loaded } = await watchLoading();
    const home = await temporaryFolder();
    const args = ["demo", "--data", join(home, "demo")];
    const program = Program.start({ app, args, home, env, input: true });
    await program.stdout.line(/^│ I'm your agent\./);
    await stop(program);
    const modules = await loaded(app);
    expect(modules).toEqual(expect.arrayContaining(["demo/demo.js", "simulator/network.js"]));
  });
});
