import { existsSync } from "node:fs";
import { ownersPolicy } from "../../control/owners/owners-list.js";
import { greeting } from "../../control/texts/replies.js";
import { dataPaths } from "../../data-folder/paths.js";
import { type RunningServer, serve } from "../../serve/serve.js";
import { SimulatedNetwork } from "../../simulator/network.js";
import { parseSimplexLink } from "../../simulator/text/simplex-links.js";
import { ownerLinkLines } from "../../terminal/lines.js";
import { programCall } from "../../terminal/program.js";
import { systemClock } from "../../time/system-clock.js";
import type { Bubble } from "../screen/bubble.js";
import { movePeopleIn, type People } from "./people.js";
import { Phone } from "./phone.js";

export const AGENT = "demo";
export const OWNER = "Alice";
const DISPLAY_NAME = "Demo Agent";

export interface WorldOptions {
  /** Absolute, and whether it was named on the command line. */
  readonly dataFolder: string;
  readonly dataOption: string | undefined;
  readonly port: number | undefined;
  /** See `PeopleOptions`. */
  readonly thinkMs?: number;
  readonly chatterMs?: number;
  /** What the server prints, but for the link: the owner of the demo has it already. */
  readonly print: (line: string) => void;
  readonly log: (line: string) => void;
}

/** The real server on a simulated network, with its people and an owner who has joined. */
export interface DemoWorld {
  readonly server: RunningServer;
  readonly phone: Phone;
  readonly people: People;
  /** After the server has stopped. */
  close(): Promise<void>;
}

export class DemoError extends Error {
  override name = "DemoError";
}

export async function openWorld(options: WorldOptions): Promise<DemoWorld> {
  const { dataFolder, dataOption, port, print, log } = options;
  refuseRealAgent(dataFolder);
  const network = new SimulatedNetwork({ coreVersion: "7.0.0.6, simulated", peerTypeAgent: true });
  const people = await movePeopleIn(network, options);
  const phone = await Phone.start(network.open(OWNER), OWNER, systemClock);
  const link = new OwnerLink(print);
  let server: RunningServer | undefined;
  const close = async (): Promise<void> => {
    await phone.close();
    await people.close();
  };
  try {
    server = await serve(
      {
        agent: AGENT,
        displayName: DISPLAY_NAME,
        dataFolder,
        dataOption,
        port,
        approve: "requests",
        owners: ownersPolicy(undefined),
        resetOwners: false,
        expireHours: 23,
        stopWaitSeconds: 2,
        qrCode: "none",
        socksProxy: undefined,
        smpServers: [],
        xftpServers: [],
        holdSeconds: 0,
      },
      {
        openCore: async () => network.open(AGENT),
        clock: systemClock,
        print: link.print,
        log,
        program: programCall(),
      },
    );
    await phone.join(link.text);
    phone.onBubble((bubble) => {
      const address = addressIn(bubble);
      if (address !== undefined) people.passOn(address);
    });
    await phone.next(({ text }) => text === greeting);
    return { server, phone, people, close };
  } catch (error) {
    await server?.stop();
    await close();
    throw error;
  }
}

/** The agent's address, when it tells its owner. */
function addressIn(bubble: Bubble): string | undefined {
  if (bubble.kind !== "message" || bubble.own) return undefined;
  const [, word = ""] = /^My address: (\S+)/.exec(bubble.text) ?? [];
  return parseSimplexLink(word)?.linkType === "contact" ? word : undefined;
}

/** The demo takes over the folder's token and port: not those of an agent that people rely on. */
function refuseRealAgent(dataFolder: string): void {
  const { chatDatabase, agentDatabase } = dataPaths(dataFolder);
  if (!existsSync(chatDatabase) && !existsSync(agentDatabase)) return;
  throw new DemoError(
    `${dataFolder} is the data folder of a real agent. Give the demo another one with --data.`,
  );
}

/** Takes the owner's link from what the server prints, as a phone's camera would. */
class OwnerLink {
  text = "";
  readonly print: (line: string) => void;

  constructor(print: (line: string) => void) {
    const aboutLink = new Set(ownerLinkLines("", { displayName: DISPLAY_NAME, size: "none" }));
    this.print = (line) => {
      if (parseSimplexLink(line)) this.text = line;
      else if (!aboutLink.has(line)) print(line);
    };
  }
}
