/**
 * Arguments of `cmd.exe` that run a script (`claude.cmd`, as npm makes it) with `args`, each arriving as it is. Node
 * has to pass them verbatim. Without line feeds in `args`, and without `%NAME:…%`, which nothing protects.
 */
export function cmdArguments(script: string, args: readonly string[]): string[] {
  const words = [escaped(script), ...args.map(quotedForScript)];
  // /d: no AutoRun commands. /s: only the outer quotes are removed.
  return ["/d", "/s", "/c", `"${words.join(" ")}"`];
}

/** Escaped twice: `cmd.exe` reads the line, and the script hands its arguments on in a line that is read again. */
function quotedForScript(argument: string): string {
  return escaped(escaped(quoted(argument)));
}

/** As programs split their command line: backslashes count only before a quote. */
function quoted(argument: string): string {
  const inner = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1");
  return `"${inner}"`;
}

/** With all quotes escaped nothing is quoted for `cmd.exe`, so that a caret protects every character. */
function escaped(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, "^$&");
}
