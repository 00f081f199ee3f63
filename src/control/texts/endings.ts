/** The last line of a decided card: who decided, and what came of it. */
import type { ActionFields, ActionState, Decision } from "../../actions/action.js";
import { displayName, literalText } from "../../text/literal.js";
import { remains } from "./remainders.js";

/**
 * Characters of a reason or an error that a card shows. They are not known when the card is posted, so that they have
 * to be bounded for its longest ending to be known; the agent gets them whole.
 */
const REMARK_LENGTH = 300;

export function ending(
  fields: ActionFields,
  state: Exclude<ActionState, { state: "pending" }>,
  now: number,
): string {
  switch (state.state) {
    case "rejected":
      return `Rejected by ${displayName(state.by)}${state.reason ? `: ${remark(state.reason)}` : ""}.`;
    case "answered":
      return `${displayName(state.by)} answered: ${remark(state.answer)}.`;
    case "expired":
      return "Expired.";
    case "cancelled":
      return "Cancelled: the server stopped.";
    case "performing":
    case "done":
      return decided(fields, state.decision, now, "");
    case "interrupted":
      return decided(fields, state.decision, now, "; interrupted: the server stopped");
    case "failed":
      return decided(fields, state.decision, now, `; failed: ${remark(state.error)}`);
  }
}

/** A short text of a person or a program, in one line. */
export function remark(text: string): string {
  return literalText(text, REMARK_LENGTH);
}

function decided(fields: ActionFields, decision: Decision, now: number, outcome: string): string {
  switch (decision.kind) {
    case "approved":
      return `${approval(decision)}${outcome}.`;
    case "standing":
      return `Approved for this chat by ${displayName(decision.by)}${remains(decision, now)}${outcome}.${decision.left === 0 ? "" : revocation(fields)}`;
    case "host":
      return `Performed without approval (mode host)${outcome}.`;
  }
}

function approval({ by, changedFrom }: Extract<Decision, { kind: "approved" }>): string {
  if (changedFrom === undefined) return `Approved by ${displayName(by)}`;
  const wrote = changedFrom === "" ? " no text" : `: ${literalText(changedFrom)}`;
  return `Changed and approved by ${displayName(by)}; the agent wrote${wrote}`;
}

/** What a card shows of a text that an owner wrote anew, where all of it has no room beside the new one. */
export function beginning(text: string): string {
  const characters = [...text];
  return characters.length > REMARK_LENGTH ? `${characters.slice(0, REMARK_LENGTH).join("")}…` : text;
}

/** The longest ending of an action whose text an owner wrote anew. */
export function longestChanged(changedFrom: string): ActionState {
  const decision: Decision = { kind: "approved", by: LONGEST_TEXT, changedFrom };
  return { state: "failed", decision, error: LONGEST_TEXT };
}

/** The command that ends the standing approval under which this was performed. */
function revocation(fields: ActionFields): string {
  switch (fields.tool) {
    case "send":
      return ` /'revoke ${fields.chat}'`;
    case "download":
      return ` /'receive ${fields.chat} off'`;
    default:
      return "";
  }
}

/** Shown in as many bytes as any name or remark: isolated, a character of three bytes for one, and then four bytes each. */
const LONGEST_TEXT = ` ${"\u{10900}".repeat(REMARK_LENGTH + 1)}`;

/** States among which is the one with the longest ending, whoever decides and whatever fails. */
export const LONGEST_STATES: readonly ActionState[] = [
  { state: "pending" },
  { state: "expired" },
  { state: "rejected", by: LONGEST_TEXT, reason: LONGEST_TEXT },
  { state: "failed", decision: { kind: "approved", by: LONGEST_TEXT }, error: LONGEST_TEXT },
  {
    state: "failed",
    decision: { kind: "standing", by: LONGEST_TEXT, until: Date.UTC(9999), left: Number.MAX_SAFE_INTEGER },
    error: LONGEST_TEXT,
  },
];
