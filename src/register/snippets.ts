import { BRIDGE_SNIPPETS } from "./bridge-snippets.js";
import type { SnippetClient, SnippetScope } from "./clients.js";
import { HTTP_SNIPPETS } from "./http-snippets.js";
import type { Machine } from "./machine.js";
import { RegisterError, type Registration } from "./registration.js";
import { setVariable } from "./set-variable.js";
import type { Snippet } from "./snippet.js";

/**
 * The text to print for a client: the file, the snippet, and what has to be done besides. The bridge comes first where
 * there are two ways. Throws `RegisterError` where the client has no servers of a project.
 */
export function snippetText(
  client: SnippetClient,
  scope: SnippetScope,
  registration: Registration,
  machine: Pick<Machine, "platform">,
): string {
  const ways = [BRIDGE_SNIPPETS[client], HTTP_SNIPPETS[client]].flatMap((make) =>
    make === undefined ? [] : [make(registration, machine)],
  );
  return ways
    .flatMap((way, number) => {
      const place = way.file[scope];
      if (place === undefined) {
        throw new RegisterError(`${client} has one list of servers for all projects: leave --scope out.`);
      }
      const first = number === 0 ? `Add this to ${place}:` : "Or this, by HTTP:";
      return [first, way.text, ...whatElse(way, registration, machine)];
    })
    .join("\n\n");
}

function whatElse(
  { startedFrom, note }: Snippet,
  registration: Registration,
  machine: Pick<Machine, "platform">,
): string[] {
  const parts: string[] = [];
  if (startedFrom !== undefined) {
    parts.push(
      `The token is read from an environment variable. Set it in the shell that starts ${startedFrom}:`,
      setVariable(registration, machine),
    );
  }
  if (note !== undefined) parts.push(note);
  return parts;
}
