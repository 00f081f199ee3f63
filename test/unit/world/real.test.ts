/** The world of `npm run test:real`, tried with the stand-in for the library: its processes, and what they hand on. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SimulatedNetwork } from "../../../src/simulator/network.js";
import { CoreHost } from "../../cli/core-host.js";
import { RealWorld } from "../../world/real.js";

const LIBRARY = fileURLToPath(new URL("../../standin/index.js", import.meta.url));

/** Of no server: the form is what counts. */
const KEY = "PNJmMjGLmSKgKBHMSrHfHTvJRZMqbaYCBxOcZxJmXUY=";

let folder: string;
let world: RealWorld;
let network: SimulatedNetwork;
let namesFile: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "simplex-mcp-world-"));
  namesFile = join(folder, "names.json");
  network = new SimulatedNetwork();
  const { env } = await CoreHost.listen(network);
  world = new RealWorld({
    smp: `smp://${KEY}@localhost`,
    xftp: `xftp://${KEY}@localhost`,
    namesFile,
    library: LIBRARY,
    env,
  });
});
afterEach(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

it("runs an agent, its owner and a peer, each in a process of its own", async () => {
  const { agent, owner } = await world.agentWithOwner();
  const bob = await world.person("Bob");
  const client = await agent.client("modern");
  const connecting = client.call("connect", { target: await bob.makeAddress() });
  await owner.sees(/^I want to connect to contact Bob/);
  await owner.says("/approve 1");
  expect((await connecting.result).data).toMatchObject({ status: "done", connected: true });
  await agent.restart();
  expect(await owner.answerTo("/list")).toContain("contact Bob");
});

it("hands on what the core says of a failure", async () => {
  const bob = await world.person("Bob");
  await expect(bob.run("/_get chat @99 count=1")).rejects.toMatchObject({
    chatError: { type: "errorStore" },
  });
});

it("ends the wait for a user whose process ended", async () => {
  const bob = await world.person("Bob");
  await bob.api.close();
  await expect(bob.run("/user")).rejects.toThrow("The user's process ended");
});

it("leaves the names of other runs alone", async () => {
  await writeFile(namesFile, JSON.stringify({ "other.testing": { simplexContact: ["LINK"] } }));
  const names = async () => JSON.parse(await readFile(namesFile, "utf8"));
  await world.registerName("mine.testing", "OURS");
  expect(await names()).toEqual({
    "other.testing": { simplexContact: ["LINK"] },
    "mine.testing": { simplexContact: ["OURS"] },
  });
  await world.close();
  expect(await names()).toEqual({ "other.testing": { simplexContact: ["LINK"] } });
});
