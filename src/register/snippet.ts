import type { SnippetScope } from "./clients.js";
import type { Machine } from "./machine.js";
import type { Registration } from "./registration.js";

/** What a person copies into a client's configuration. */
export interface Snippet {
  /** The file it belongs in. Without one for a project the client has one list for all. */
  readonly file: { readonly user: string } & Partial<Record<SnippetScope, string>>;
  /** Exactly what goes in there. */
  readonly text: string;
  /** How the client is called, where it reads the token from the variable. */
  readonly startedFrom?: string;
  /** What else is to be known. */
  readonly note?: string;
}

export type Maker = (registration: Registration, machine: Pick<Machine, "platform">) => Snippet;

export function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** For clients without a setting for how long a call may take. */
export const HOLD =
  "If calls end before you have approved, serve the agent with --hold 50: they go on when repeated.";
