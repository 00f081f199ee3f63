/** How Windows takes a command line apart, as far as registrations depend on it. */

/** What `cmd.exe` started: the program or script, and its command line after it. */
export interface Started {
  readonly command: string;
  readonly rest: string;
}

/** The command that `cmd.exe /s /c LINE` starts. Throws where a character would start another command. */
export function cmdStarts(line: string, env: Readonly<Record<string, string>> = {}): Started {
  if (!line.startsWith('"') || !line.endsWith('"')) throw new Error(`/s would take no quotes off: ${line}`);
  const { text, end } = readLine(expand(line.slice(1, -1), env));
  return { command: text.slice(0, end), rest: text.slice(end).trimStart() };
}

/** The arguments that a program gets from a script which hands all of its own on: `"program" %*`. */
export function scriptPasses(rest: string): string[] {
  // The place of `%*` is not looked at again for variables.
  return programArguments(readLine(rest).text);
}

/** As C programs read their command line after the program's name. */
export function programArguments(line: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const [backslashes = ""] = /^\\*/.exec(line.slice(at)) ?? [];
    const next = line[at + backslashes.length];
    if (next === '"') {
      word = (word ?? "") + "\\".repeat(Math.floor(backslashes.length / 2));
      at += backslashes.length;
      if (backslashes.length % 2 === 1) word += '"';
      else if (quoted && line[at + 1] === '"') {
        word += '"';
        at++;
      } else quoted = !quoted;
    } else if (backslashes !== "") {
      word = (word ?? "") + backslashes;
      at += backslashes.length - 1;
    } else if (next === " " && !quoted) {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else word = (word ?? "") + (next ?? "");
  }
  if (quoted) throw new Error(`A quote is open: ${line}`);
  return word === undefined ? found : [...found, word];
}

function expand(line: string, env: Readonly<Record<string, string>>): string {
  return line.replace(/%([^%]+)%/g, (all, name: string) => env[name] ?? all);
}

/** The line without its carets, and where its first word ends. */
function readLine(line: string): { text: string; end: number } {
  let text = "";
  let end: number | undefined;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    let character = line[at] ?? "";
    if (character === "^" && !quoted) character = line[++at] ?? "";
    else if (character === '"') quoted = !quoted;
    else if (!quoted && /[&|<>()]/.test(character)) throw new Error(`${character} is not protected: ${line}`);
    else if (!quoted && /[ ,;=]/.test(character)) end ??= text.length;
    text += character;
  }
  return { text, end: end ?? text.length };
}
