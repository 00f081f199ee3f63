import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import type { App } from "./make-app.js";
import { Output } from "./output.js";

export interface ProgramOptions {
  readonly app: App;
  readonly args: readonly string[];
  /** The home folder; none of this machine's settings reach the program. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that runs the program, which follows as its last arguments. */
  readonly under?: readonly string[];
  /** Whether the program gets an input to read, of which `type` gives it the lines. */
  readonly input?: boolean;
}

/** The Node that runs the program: that of the test, unless another one is named. */
const NODE = process.env.SIMPLEX_MCP_NODE ?? process.execPath;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The executable as a child process of the running test, which ends it. */
export class Program {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Settles when the program has ended and all it printed was read. */
  readonly ended: Promise<Exit>;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error("The program has no output.");
    this.#child = child;
    this.stdout = new Output(stdout);
    this.stderr = new Output(stderr);
    this.ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  }

  static start({ app, args, home, env = {}, under = [], input = false }: ProgramOptions): Program {
    const [command = NODE, ...rest] = [...under, NODE, app.executable, ...args];
    let program: Program | undefined;
    // Before the start: a test that was given up while it went on starts nothing that stays.
    onTestFinished(async () => {
      program?.signal("SIGKILL");
      await program?.ended;
    });
    const child = spawn(command, rest, {
      cwd: home,
      env: { PATH: process.env.PATH ?? "", HOME: home, USERPROFILE: home, ...env },
      stdio: [input ? "pipe" : "ignore", "pipe", "pipe"],
    });
    program = new Program(child);
    return program;
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error("The program did not start.");
    return this.#child.pid;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  type(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  endInput(): void {
    this.#child.stdin?.end();
  }

  /** Closes the streams that the program prints to. */
  stopReading(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  /** What the program prints stays in its pipe. */
  pauseReading(): void {
    this.#child.stdout?.pause();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

export interface Run extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end. */
export async function run(options: ProgramOptions): Promise<Run> {
  const program = Program.start(options);
  const exit = await program.ended;
  return { ...exit, stdout: program.stdout.text, stderr: program.stderr.text };
}

/** The lines of stderr without their times; a line that has none fails the test. */
export function withoutTimes(text: string): string[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const found = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (.*)$/.exec(line);
      if (found?.[1] === undefined) throw new Error(`This line has no time: ${line}`);
      return found[1];
    });
}
