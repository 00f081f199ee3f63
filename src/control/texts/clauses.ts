/** How the sentence of a card is put together: words of the server, and foreign text that they announce. */
import type { ActionState } from "../../actions/action.js";
import { hasRightToLeft } from "../../text/characters.js";
import { literal, withNote } from "../../text/literal.js";

/** A part of the card's sentence: words of the server, and the foreign text that they announce. */
export interface Clause {
  /** What stands before the words when they continue a line. */
  glue: "" | " " | ", ";
  words: string;
  quote?: string;
}

/** Foreign text of several lines, or of right-to-left letters, would not read right amid the server's words. */
function needsLines(text: string): boolean {
  return text.includes("\n") || hasRightToLeft(text);
}

export function sentence(clauses: readonly Clause[]): string {
  let text = "";
  let isLineFull = false;
  for (const { glue, words, quote } of clauses) {
    text += (isLineFull ? "\n" : glue) + words;
    if (quote === undefined) continue;
    isLineFull = needsLines(quote);
    text += (isLineFull ? "\n" : " ") + withNote(literal(quote));
  }
  return text;
}

/** Words with the text they announce; a message of a file alone has none. */
export function announce(glue: Clause["glue"], words: string, quote: string): Clause {
  return quote === "" ? { glue, words } : { glue, words: `${words}:`, quote };
}

/** `I want to send`, `I sent`, or `I wanted to send`. */
export function act(state: ActionState, verb: string, past: string): string {
  switch (state.state) {
    case "pending":
    case "performing":
      return `I want to ${verb}`;
    case "done":
      return `I ${past}`;
    default:
      return `I wanted to ${verb}`;
  }
}
