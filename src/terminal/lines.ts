import qrcode from "qrcode-terminal";

/** How the published program is called, whether it is installed or not. */
export const NPX = "npx -y @simplex-chat/mcp";

export type QrSize = "normal" | "small" | "none";

export interface OwnerLinkOptions {
  displayName: string;
  size: QrSize;
  /** Of the terminal, where there is one. */
  columns?: number | undefined;
}

/** What a person reads to become the owner. The link is a secret: for stdout only. */
export function ownerLinkLines(link: string, { displayName, size, columns }: OwnerLinkOptions): string[] {
  const waiting = "Waiting for the owner to join. The link works once.";
  if (size === "none") {
    return [`Paste in the SimpleX app to become the owner of ${displayName}:`, link, waiting];
  }
  const normal = size === "normal" ? qrCode(link, false) : undefined;
  // A code whose lines wrap cannot be scanned.
  const fits = normal !== undefined && !(widthOf(normal) > (columns ?? Number.POSITIVE_INFINITY));
  return [
    `Scan in the SimpleX app to become the owner of ${displayName}:`,
    fits ? normal : qrCode(link, true),
    link,
    ...(fits ? [] : ["If the QR code does not scan, paste the link in the app."]),
    waiting,
  ];
}

/** How the agent gets into an MCP client. `dataOption`: the value of `--data`, where it was given. */
export function registerHint(agent: string, dataOption: string | undefined, program = NPX): string {
  return `Add the agent to Claude Code: ${commandLine("register", agent, dataOption, program)}`;
}

/** What to do about a client that is refused. */
export function registerAgain(agent: string, dataOption: string | undefined, program = NPX): string {
  return `Run \`${commandLine("register", agent, dataOption, program)}\` again.`;
}

/** How an agent that does not run is started. */
export function serveHint(agent: string, dataOption: string | undefined): string {
  return `Start it with: ${commandLine("serve", agent, dataOption, NPX)}`;
}

function commandLine(
  command: string,
  agent: string,
  dataOption: string | undefined,
  program: string,
): string {
  const data = dataOption === undefined ? "" : ` --data ${shellQuoted(dataOption)}`;
  return `${program} ${command} ${agent}${data}`;
}

/** A word as a shell reads it back. */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function qrCode(text: string, small: boolean): string {
  let code = "";
  qrcode.generate(text, { small }, (drawn) => {
    code = drawn;
  });
  return code;
}

/** Columns. */
function widthOf(code: string): number {
  return Math.max(...code.split("\n").map((line) => line.replace(/\u001b\[\d+m/g, "").length));
}
