/** What a registration depends on of this computer; passed in, so that tests can be on another one. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** The running Node.js, an absolute path. */
  readonly node: string;
  /** The current folder. */
  readonly cwd: string;
}

export function thisMachine(): Machine {
  return { platform: process.platform, env: process.env, node: process.execPath, cwd: process.cwd() };
}

export function isWindows({ platform }: Pick<Machine, "platform">): boolean {
  return platform === "win32";
}
