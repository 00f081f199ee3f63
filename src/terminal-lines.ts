import qrcode from "qrcode-terminal";

export type QrSize = "normal" | "small" | "none";

/** What a person reads to become the owner. The link is a secret: for stdout only. */
export function ownerLinkLines(link: string, displayName: string, size: QrSize): string[] {
  const waiting = "Waiting for the owner to join. The link works once.";
  if (size === "none") {
    return [`Paste in the SimpleX app to become the owner of ${displayName}:`, link, waiting];
  }
  return [
    `Scan in the SimpleX app to become the owner of ${displayName}:`,
    qrCode(link, size === "small"),
    link,
    ...(size === "small" ? ["If the QR code does not scan, paste the link in the app."] : []),
    waiting,
  ];
}

/** How the agent gets into an MCP client. `dataOption`: the value of `--data`, where it was given. */
export function registerHint(agent: string, dataOption: string | undefined): string {
  return `Add the agent to Claude Code: ${commandLine("register", agent, dataOption)}`;
}

/** How an agent that does not run is started. */
export function serveHint(agent: string, dataOption: string | undefined): string {
  return `Start it with: ${commandLine("serve", agent, dataOption)}`;
}

function commandLine(command: string, agent: string, dataOption: string | undefined): string {
  const data = dataOption === undefined ? "" : ` --data ${shellQuoted(dataOption)}`;
  return `npx -y @simplex-chat/mcp ${command} ${agent}${data}`;
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
