import { agentFolder, dataPaths } from "../data-folder/paths.js";
import { EXIT } from "../terminal/exit.js";
import { logError, printLine } from "../terminal/output.js";
import { askRunning } from "./ask.js";
import { statusLines } from "./lines.js";

/** The options of `status`, as the command line gives them. */
export interface StatusFlags {
  data?: string;
  json?: boolean;
}

/** Tells about a running agent; resolves with the exit code, 1 when it does not run. */
export async function runStatus(agent: string, { data, json }: StatusFlags): Promise<number> {
  try {
    const running = await askRunning({ agent, dataOption: data, paths: dataPaths(agentFolder(agent, data)) });
    if (json) printLine(JSON.stringify(running, null, 2));
    else statusLines(running, Date.now()).forEach(printLine);
    return EXIT.done;
  } catch (error) {
    logError(error);
    return EXIT.failed;
  }
}
