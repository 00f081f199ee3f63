import { agentFolder, dataPaths } from "../data-folder/paths.js";
import { EXIT } from "../terminal/exit.js";
import { logError, logLine } from "../terminal/output.js";
import { aborted, StopSignals } from "../terminal/stop-signals.js";
import { VERSION } from "../terminal/version.js";
import { Agent } from "./agent.js";
import { Conversation } from "./conversation.js";
import { LineReader } from "./lines.js";
import { readListings } from "./listing.js";
import { Output } from "./output.js";

/**
 * The agent as a command, for MCP clients that start their servers and speak with them over stdin and stdout. Each call
 * goes to the running agent. Nothing is loaded that takes long: schemas, the SDK and the tools stay where they are.
 */

/** The options of `bridge`, as the command line gives them. */
export interface BridgeFlags {
  data?: string;
}

/** Bytes of a message; the listener takes 1 MiB, and whoever sends more is told so. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** How long the end waits for the listener to hear what its client has got. Milliseconds. */
const LAST_MS = 400;

/** Serves the client until it goes; resolves with the exit code. */
export async function runBridge(agent: string, { data }: BridgeFlags): Promise<number> {
  // Whoever reads no warnings is no reason to stop.
  process.stderr.on("error", () => undefined);
  const signals = new StopSignals(() => process.exit(EXIT.done));
  try {
    const output = new Output(process.stdout);
    const paths = dataPaths(agentFolder(agent, data));
    const conversation = new Conversation({
      agent: new Agent({ agent, dataOption: data, paths }),
      title: agent,
      version: VERSION,
      send: (message) => output.send(message),
      listings: readListings,
      log: logLine,
    });
    await Promise.race([inputEnded(conversation), aborted(output.closed), aborted(signals.asked)]);
    // A client that reads no more, and a listener that hangs, hold nothing up.
    setTimeout(() => process.exit(EXIT.done), LAST_MS);
    await conversation.close();
    return EXIT.done;
  } catch (error) {
    logError(error);
    return EXIT.failed;
  }
}

/** Resolves when the client has closed the pipe, or is gone. */
function inputEnded(conversation: Conversation): Promise<void> {
  const { stdin } = process;
  const lines = new LineReader(LONGEST_LINE);
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    stdin.on("data", (chunk: Buffer) => {
      for (const line of lines.read(chunk)) {
        if (line !== undefined) conversation.take(line);
        else logLine("A message of the client was over 64 MiB, and was dropped.");
      }
    });
  });
}
