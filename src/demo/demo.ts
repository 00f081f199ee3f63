import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explain } from "../core/errors/explain.js";
import { routeConsoleToStderr } from "../core/library/library.js";
import { agentFolder, dataPaths } from "../data-folder/paths.js";
import { exitNow, untilStopped } from "../serve/run.js";
import { EXIT } from "../terminal/exit.js";
import { logError, logLine, printLine } from "../terminal/output.js";
import { StopSignals } from "../terminal/stop-signals.js";
import { systemClock } from "../time/system-clock.js";
import type { Bubble } from "./screen/bubble.js";
import { renderBubble } from "./screen/render.js";
import { type Line, paint } from "./screen/style.js";
import { Terminal, wantsColour } from "./screen/terminal.js";
import { BANNER, howTo, TOUR_BANNER } from "./screen/texts.js";
import type { Phone } from "./world/phone.js";
import { AGENT, type DemoWorld, OWNER, openWorld } from "./world/world.js";

/** The options of `demo`, as the command line gives them. */
export interface DemoFlags {
  tour?: boolean;
  data?: string;
  port?: number;
}

/** Once a guest is in, the simulated hiking group talks by itself, so often. Milliseconds. */
const CHATTER_MS = 40_000;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Longer lines read badly. Columns. */
const WIDEST = 100;

/** Runs the demo until it is stopped, or the tour to its end; resolves with the exit code. */
export async function runDemo(flags: DemoFlags): Promise<number> {
  // stdout is the phone's screen.
  routeConsoleToStderr();
  // Nobody reads what is printed any more where the terminal was closed.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  // The folder holds a token: its files are for this user alone.
  process.umask(0o077);
  try {
    return flags.tour ? await tour(flags) : await play(flags);
  } catch (error) {
    logError(error);
    return EXIT.failed;
  }
}

/** The person at the terminal is the owner; the agent is a client of theirs. */
async function play({ data, port }: DemoFlags): Promise<number> {
  const dataFolder = agentFolder(AGENT, data);
  const terminal = new Terminal({ input: process.stdin, output: process.stdout, prompt: `${OWNER}> ` });
  const colour = wantsColour(process.stdout);
  const show = (lines: readonly Line[]): void => terminal.print(lines.map((line) => paint(line, colour)));
  let world: DemoWorld | undefined;
  // A terminal that is closed tells it in several ways at once; none of them urges.
  const signals = new StopSignals(exitNow);
  const stop = (): void => signals.ask();
  process.stdout.on("error", stop);
  try {
    show(BANNER);
    world = await openWorld({
      dataFolder,
      dataOption: data,
      port,
      chatterMs: CHATTER_MS,
      print: (line) => terminal.print([line]),
      log: (line) => terminal.above(() => logLine(line)),
    });
    show(howTo({ url: world.server.url, tokenFile: dataPaths(dataFolder).token }));
    const showBubble = (bubble: Bubble): void => {
      // 0 where the terminal does not tell its size.
      const width = Math.min(process.stdout.columns || WIDEST, WIDEST);
      show(renderBubble(bubble, { colour, width, now: Date.now() }));
    };
    playOwner(world.phone, terminal, { show: showBubble, stop });
    return await untilStopped(world.server, signals);
  } finally {
    terminal.close();
    signals.close();
    await world?.close();
  }
}

/** What is typed is written in the control chat, and what comes there is shown. */
function playOwner(
  phone: Phone,
  terminal: Terminal,
  { show, stop }: { show: (bubble: Bubble) => void; stop: () => void },
): void {
  const showNew = (bubble: Bubble): void => {
    // What somebody typed at the terminal stands there already.
    if (!(terminal.interactive && bubble.kind === "message" && bubble.own)) show(bubble);
  };
  phone.bubbles.forEach(showNew);
  phone.onBubble(showNew);
  terminal.start({
    onLine: (line) => {
      if (line.trim() === "") return;
      phone.send(line).catch((error: unknown) => terminal.print([`Not sent: ${explain(error)}`]));
    },
    // The input of a script may end long before its client has finished.
    onEnd: () => terminal.interactive && stop(),
  });
}

/** An agent and its owner act by themselves. */
async function tour({ data, port }: DemoFlags): Promise<number> {
  const scratch = data === undefined ? await mkdtemp(join(tmpdir(), "simplex-mcp-tour-")) : undefined;
  const { stdout } = process;
  const interrupt = new AbortController();
  const onStop = (): void => interrupt.abort();
  for (const signal of SIGNALS) process.on(signal, onStop);
  // Nobody looks any more: `simplex-mcp demo --tour | head`.
  stdout.on("error", onStop);
  const colour = wantsColour(stdout);
  try {
    for (const line of TOUR_BANNER) printLine(paint(line, colour));
    const world = await openWorld({
      dataFolder: agentFolder(AGENT, data ?? scratch),
      dataOption: data,
      port,
      thinkMs: 200,
      print: () => undefined,
      log: logLine,
    });
    try {
      const { runTour } = await import("./tour/tour.js");
      await runTour({
        world,
        clock: systemClock,
        print: printLine,
        colour,
        columns: stdout.columns || undefined,
        readMs: stdout.isTTY ? 800 : 0,
        signal: interrupt.signal,
      });
    } finally {
      await world.server.stop();
      await world.close();
    }
    return EXIT.done;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onStop);
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}
