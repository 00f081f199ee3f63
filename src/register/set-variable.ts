import { shellQuoted } from "../terminal/hints.js";
import { isWindows, type Machine } from "./machine.js";
import type { Registration } from "./registration.js";

/** The command that sets the token's variable from `headers.json`, without showing the token: for sh or PowerShell. */
export function setVariable(
  { variable, headersFile }: Pick<Registration, "variable" | "headersFile">,
  machine: Pick<Machine, "platform">,
): string {
  if (isWindows(machine)) {
    const read = `Get-Content -Raw -LiteralPath ${powerShellQuoted(headersFile)}`;
    return `$env:${variable} = (${read} | ConvertFrom-Json).Authorization.Substring("Bearer ".Length)`;
  }
  const extract = `'s/.*"Bearer ([^"]*)".*/\\1/'`;
  return `export ${variable}="$(sed -E ${extract} ${shellQuoted(headersFile)})"`;
}

/** PowerShell takes typographic quotes for quotes, too. */
function powerShellQuoted(word: string): string {
  return `'${word.replace(/['\u2018-\u201B]/g, "$&$&")}'`;
}
