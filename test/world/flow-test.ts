import { test } from "vitest";
import { RealWorld, realServers } from "./real.js";
import { SimulatedWorld } from "./simulated.js";
import type { World } from "./world.js";

const kind = process.env.TEST_WORLD === "real" ? "real" : "simulated";
const servers = kind === "real" ? await realServers() : undefined;
const missing = servers && "missing" in servers ? servers.missing : undefined;
if (missing !== undefined) console.warn(`The flows are skipped in the real world: ${missing}.`);

function newWorld(): World {
  if (!servers) return new SimulatedWorld();
  if ("missing" in servers) throw new Error(servers.missing);
  return new RealWorld(servers);
}

/**
 * A test with a world of its own, the simulated one, or the real one with `TEST_WORLD=real`. When it fails, the last
 * commands and events of every user are printed.
 */
const inWorld = test.extend<{ world: World }>({
  world: async ({ onTestFailed }, use) => {
    const world = newWorld();
    onTestFailed(() => console.error(world.report()));
    await use(world);
    await world.close();
  },
});

/** A flow that runs in both worlds. */
export const flow = missing === undefined ? inWorld : inWorld.skip;

/** A flow with SimpleX names, which need a name resolver. */
export const flowWithNames = servers && "smp" in servers && !servers.namesFile ? inWorld.skip : flow;

/** A test of the simulated world alone. */
const inSimulatedWorld = test.extend<{ world: SimulatedWorld }>({
  world: async ({ onTestFailed }, use) => {
    const world = new SimulatedWorld();
    onTestFailed(() => console.error(world.report()));
    await use(world);
    await world.close();
  },
});

/** A flow that needs what the real world has not: a clock that is moved, or faults of the network. */
export function simulatedOnly(
  why: string,
  title: string,
  body: (context: { world: SimulatedWorld }) => Promise<void>,
): void {
  if (kind === "simulated") inSimulatedWorld(title, ({ world }) => body({ world }));
  else test.skip(`${title} (simulated only: ${why})`, () => undefined);
}

/** Orders of answers and events, each from another seed. Simulated: the real world has its own order. */
export function withSeeds(
  count: number,
  title: string,
  body: (context: { world: SimulatedWorld }) => Promise<void>,
): void {
  if (kind === "real") {
    test.skip(`${title} (simulated only: orders of answers and events)`, () => undefined);
    return;
  }
  for (let seed = 1; seed <= count; seed += 1) {
    test(`${title} (order ${seed})`, async ({ onTestFailed }) => {
      const world = new SimulatedWorld({ seed });
      onTestFailed(() => console.error(world.report()));
      try {
        await body({ world });
      } finally {
        await world.close();
      }
    });
  }
}
