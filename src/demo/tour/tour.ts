import { programCall } from "../../terminal/program.js";
import type { Clock } from "../../time/clock.js";
import { DemoError, type DemoWorld } from "../world/world.js";
import { TourAgent } from "./agent.js";
import { FLOWS, type Story } from "./flows.js";
import { Stage } from "./stage.js";

export interface TourOptions {
  readonly world: DemoWorld;
  readonly clock: Clock;
  readonly print: (line: string) => void;
  readonly colour: boolean;
  readonly columns: number | undefined;
  /** How long the owner reads before answering, in milliseconds. */
  readonly readMs: number;
  /** Aborted when the tour is to end early. */
  readonly signal: AbortSignal;
}

/** The tour takes some twenty seconds; one that takes longer has got stuck. Milliseconds. */
const LONGEST = 50_000;

/** Acts the flows one after the other. Rejects when one of them goes another way than it should. */
export async function runTour(options: TourOptions): Promise<void> {
  const { world, clock, signal } = options;
  const agent = await TourAgent.connect(world.server.url, world.server.token);
  const stage = new Stage({ ...options, agent });
  let title = "";
  const act = async (): Promise<void> => {
    const story: Story = {};
    stage.heads("THE AGENT calls, and gets", "ALICE, ITS OWNER, sees, and types");
    for (const flow of FLOWS) {
      title = flow.title;
      stage.title(title);
      await flow.act(stage, story);
    }
    stage.title(`That was the tour. Try it yourself: ${programCall()} demo`);
  };
  let giveUp: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    const stuck = clock.after(LONGEST, () => reject(new DemoError(`The tour got stuck in: ${title}`)));
    giveUp = () => {
      stuck();
      signal.removeEventListener("abort", stop);
    };
    const stop = (): void => reject(new DemoError("The tour was stopped."));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    await Promise.race([act(), ended, failed(world)]);
  } finally {
    giveUp();
    await agent.close();
  }
}

async function failed({ server }: DemoWorld): Promise<never> {
  throw new DemoError(await server.failed);
}
