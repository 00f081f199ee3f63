import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { BridgeFlags } from "./bridge/bridge.js";
import { FolderError } from "./data-folder/folder-error.js";
import { folderOption, isAgentName } from "./data-folder/paths.js";
import type { DemoFlags } from "./demo/demo.js";
import { CLIENTS, SCOPES } from "./register/clients.js";
import type { RegisterFlags } from "./register/register.js";
import type { ServeFlags } from "./serve/run.js";
import type { StatusFlags } from "./status/status.js";
import { EXIT } from "./terminal/exit.js";
import { VERSION } from "./terminal/version.js";

const AGENT_HELP = "name of the agent: letters, digits, . _ -";
const DATA_HELP = "data folder (default: ~/.simplex-mcp/<agent>)";

/** Runs the command line; resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  const program = commandLine((result) => {
    code = result;
  });
  try {
    await program.parseAsync([...argv]);
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // `--help` and `--version` end this way, too.
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}

function commandLine(exit: (code: number) => void): Command {
  const program = new Command("simplex-mcp")
    .description(
      "Gives an AI agent its own identity on SimpleX; its owner approves each act in the SimpleX app.",
    )
    .version(VERSION)
    .addHelpText("after", "\nExample:\n  simplex-mcp serve my-agent\n")
    .showHelpAfterError("(--help shows the options)")
    .exitOverride();
  // Parts are loaded when they are used: `--version` and `--help` answer at once.
  program
    .command("serve")
    .description("Run the agent: SimpleX core, control chat and MCP listener.")
    .argument("<agent>", AGENT_HELP, agentName)
    .option(
      "--display-name <name>",
      "profile and control chat name of a new agent (default: the agent's name)",
    )
    .option("--data <folder>", DATA_HELP, folder)
    .addOption(port())
    .addOption(
      new Option("--approve <mode>", "who approves: owners in the control chat, or the MCP host's user")
        .choices(["requests", "host"])
        .default("requests"),
    )
    .option("--owners [list]", "only these approve, such as 3:Alice,7:Bob; without a list: find out who")
    .option("--reset-owners", "delete the control chat for all its members and make a new one")
    .option("--expire-hours <n>", "a pending action expires after 1 to 23 hours", whole(1, 23), 23)
    .option("--stop-wait <s>", "at the stop, wait up to 0 to 60 seconds for the last cards", whole(0, 60), 10)
    .addOption(
      new Option("--qr-code <size>", "size of the QR code")
        .choices(["normal", "small", "none"])
        .default("normal"),
    )
    .option("--socks-proxy <host:port>", "reach SimpleX servers through a SOCKS5 proxy (Tor)", hostAndPort)
    .addOption(servers("smp", "use this SMP server (repeatable)"))
    .addOption(servers("xftp", "use this XFTP server (repeatable)"))
    .addOption(
      new Option("--hold <s>", "answer an undecided action as pending after s seconds")
        .argParser(whole(0, 86_400))
        .default(0, "hold the call until it is decided"),
    )
    .addHelpText(
      "after",
      '\n--owners without a list comes after the name: serve my-agent --owners\n\nExample:\n  simplex-mcp serve my-agent --display-name "My Agent"\n',
    )
    .action(async (agent: string, flags: ServeFlags, command: Command) => {
      if (flags.resetOwners && typeof flags.owners === "string") {
        command.error(
          "error: --reset-owners makes a new chat without members: use it without an --owners list",
        );
      }
      exit(await (await import("./serve/run.js")).runServe(agent, flags));
    });
  program
    .command("register")
    .description("Add the agent to Claude Code, or print how to add it to another MCP client.")
    .argument("<agent>", AGENT_HELP, agentName)
    .addOption(new Option("--client <name>", "the MCP client").choices(CLIENTS).default("claude-code"))
    .addOption(
      new Option(
        "--scope <scope>",
        "user: all your projects; local: you, in this one; project: all in this one",
      )
        .choices(SCOPES)
        .default("user"),
    )
    .option("--data <folder>", DATA_HELP, folder)
    .addHelpText("after", "\nExample:\n  simplex-mcp register my-agent --client codex\n")
    .action(async (agent: string, flags: RegisterFlags, command: Command) => {
      if (flags.scope === "local" && flags.client !== "claude-code") {
        command.error("error: --scope local is for Claude Code only: give user or project");
      }
      exit(await (await import("./register/register.js")).runRegister(agent, flags));
    });
  program
    .command("bridge")
    .description("Be the agent for an MCP client that starts its servers as commands; it talks over stdin.")
    .argument("<agent>", AGENT_HELP, agentName)
    .option("--data <folder>", DATA_HELP, folder)
    .addHelpText("after", "\nExample:\n  simplex-mcp bridge my-agent\n")
    .action(async (agent: string, flags: BridgeFlags) => {
      exit(await (await import("./bridge/bridge.js")).runBridge(agent, flags));
    });
  program
    .command("status")
    .description("Tell whether the agent is running, where, for whom, and what waits.")
    .argument("<agent>", AGENT_HELP, agentName)
    .option("--json", "print it as JSON")
    .option("--data <folder>", DATA_HELP, folder)
    .addHelpText("after", "\nExample:\n  simplex-mcp status my-agent --json\n")
    .action(async (agent: string, flags: StatusFlags) => {
      exit(await (await import("./status/status.js")).runStatus(agent, flags));
    });
  program
    .command("demo")
    .description(
      "Try everything on a simulated network in this process: no phone, nothing leaves this computer.",
    )
    .option("--tour", "act the main flows by itself and exit")
    .option("--data <folder>", "data folder (default: ~/.simplex-mcp/demo)", folder)
    .addOption(port())
    .addHelpText(
      "after",
      "\nEach line you type is a message of the owner. Ctrl-C ends the demo.\nThe end of an input that is piped in does not end it.\n\nExample:\n  simplex-mcp demo --tour\n",
    )
    .action(async (flags: DemoFlags) => {
      exit(await (await import("./demo/demo.js")).runDemo(flags));
    });
  return program;
}

function port(): Option {
  return new Option(
    "--port <n>",
    "listen on 127.0.0.1:n (default: as last time, at first 5226 to 5245)",
  ).argParser(whole(1, 65_535));
}

function agentName(text: string): string {
  if (isAgentName(text)) return text;
  throw new InvalidArgumentError(
    "Give 1 to 64 of A-Z a-z 0-9 . _ - that do not start with a dot or a hyphen.",
  );
}

/** Absolute, so that the commands which the program prints work from everywhere. */
function folder(text: string): string {
  const path = folderOf(text);
  if (path === undefined) throw new InvalidArgumentError("Give a folder.");
  return path;
}

function folderOf(text: string): string | undefined {
  try {
    return folderOption(text);
  } catch (error) {
    throw error instanceof FolderError ? new InvalidArgumentError(error.message) : error;
  }
}

/** A parser of whole numbers in a range. */
function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most)) throw new InvalidArgumentError(`Give ${least} to ${most}.`);
    return number;
  };
}

function hostAndPort(text: string): string {
  const [, port] = /^(?:[\w.-]+|\[[\da-f:]+\]):(\d{1,5})$/i.exec(text) ?? [];
  if (Number(port) >= 1 && Number(port) <= 65_535) return text;
  throw new InvalidArgumentError("Give host:port, such as 127.0.0.1:9050.");
}

function servers(protocol: "smp" | "xftp", description: string): Option {
  return new Option(`--${protocol}-server <address>`, description)
    .argParser((text: string, before: string[]) => {
      if (new RegExp(`^${protocol}://[^@\\s]+@[^\\s]+$`).test(text)) return [...before, text];
      throw new InvalidArgumentError(`Give an address such as ${protocol}://FINGERPRINT@host.`);
    })
    .default([], "the presets");
}
