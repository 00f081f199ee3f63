import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "./clock.js";
import { explain } from "./core/explain.js";
import { routeConsoleToStderr } from "./core/library.js";
import type { Bubble } from "./demo/bubble.js";
import { renderBubble } from "./demo/render.js";
import { type Line, paint } from "./demo/style.js";
import { Terminal, wantsColour } from "./demo/terminal.js";
import { BANNER, howTo, TOUR_BANNER } from "./demo/texts.js";
import { AGENT, OWNER, openWorld } from "./demo/world.js";
import { EXIT } from "./exit.js";
import { logError, logLine, printLine } from "./output.js";
import { untilStopped } from "./run.js";
import { agentFolder, dataPaths } from "./server/paths.js";

/** The options of `demo`, as the command line gives them. */
export interface DemoFlags {
  tour: boolean;
  data?: string;
  port?: number;
}

/** Once a guest is in, the simulated hiking group talks by itself, so often. Milliseconds. */
const CHATTER_MS = 40_000;

/** Runs the demo until it is stopped, or the tour to its end; resolves with the exit code. */
export async function runDemo(flags: DemoFlags): Promise<number> {
  // stdout is the phone's screen.
  routeConsoleToStderr();
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
  const { stdin: input, stdout: output } = process;
  const colour = wantsColour(output);
  const terminal = new Terminal({ input, output, prompt: `${OWNER}> ` });
  const show = (lines: readonly Line[]): void => terminal.print(lines.map((line) => paint(line, colour)));
  show(BANNER);
  const world = await openWorld({
    dataFolder,
    dataOption: data,
    port,
    chatterMs: CHATTER_MS,
    print: (line) => terminal.print([line]),
    log: logLine,
  });
  const { server, phone } = world;
  show(howTo({ url: server.url, tokenFile: dataPaths(dataFolder).token }));
  const showBubble = (bubble: Bubble): void => {
    // What was typed here stands here.
    if (terminal.interactive && bubble.kind === "message" && bubble.own) return;
    show(renderBubble(bubble, { colour, width: Math.min(output.columns ?? 100, 100), now: Date.now() }));
  };
  phone.bubbles.forEach(showBubble);
  phone.onBubble(showBubble);
  terminal.start({
    onLine: (line) => {
      if (line.trim() === "") return;
      phone.send(line).catch((error: unknown) => terminal.print([`Not sent: ${explain(error)}`]));
    },
    // A script's input may end long before its client has finished.
    onEnd: () => terminal.interactive && process.emit("SIGINT"),
  });
  try {
    return await untilStopped(server);
  } finally {
    terminal.close();
    await world.close();
  }
}

/** An agent and its owner act by themselves. */
async function tour({ data, port }: DemoFlags): Promise<number> {
  const scratch = data === undefined ? await mkdtemp(join(tmpdir(), "simplex-mcp-tour-")) : undefined;
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  const { stdout } = process;
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
      const { runTour } = await import("./demo/tour.js");
      await runTour({
        world,
        clock: systemClock,
        print: printLine,
        colour,
        columns: stdout.columns,
        readMs: stdout.isTTY ? 800 : 0,
        signal: stop.signal,
      });
    } finally {
      await world.server.stop();
      await world.close();
    }
    return EXIT.done;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, onSignal);
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}
