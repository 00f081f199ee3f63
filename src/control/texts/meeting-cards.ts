/** What cards say of people who come to the agent, and of the links that they come by. */
import type {
  ActionState,
  InvitationFields,
  InviteFields,
  MemberFields,
  RequestFields,
} from "../../actions/action.js";
import { isRole } from "../../core/limits.js";
import { displayName, literalText } from "../../text/literal.js";
import { act, type Clause } from "./clauses.js";
import { chatName, kindAndName } from "./names.js";

export function inviteClauses({ kind, purpose }: InviteFields, state: ActionState): Clause[] {
  const what =
    kind === "one-time"
      ? `${act(state, "make", "made")} a one-time link, by which one person can connect to me`
      : `${act(state, "have", "made")} an address, by which people can ask to connect to me`;
  return words(`${what}${purpose === undefined ? "" : `, for: ${literalText(purpose)}`}.`);
}

export function requestClauses(fields: RequestFields, state: ActionState): Clause[] {
  const { chat, message, notShown = 0 } = fields;
  if (state.state === "done") {
    return words(`${kindAndName({ ...fields, lookAlike: false })} is connected to me: contact ${chat}.`);
  }
  const who = kindAndName(fields);
  if (!isOpen(state)) return words(`${who} asked to connect to me.`);
  if (message === undefined) return words(`${who} asks to connect to me.`);
  const clauses: Clause[] = [
    { glue: "", words: `${who} asks to connect to me, with the message:`, quote: message },
  ];
  return notShown === 0 ? clauses : [...clauses, { glue: " ", words: restOf(notShown) }];
}

/** `(1,204 more characters are not shown)` */
function restOf(characters: number): string {
  const amount = characters.toLocaleString("en-US");
  return `(${amount} more ${characters === 1 ? "character is" : "characters are"} not shown)`;
}

export function invitationClauses({ group, by, role }: InvitationFields, state: ActionState): Clause[] {
  const who = `${displayName(by.name)} (${by.chat})`;
  if (state.state === "done") return words(`I joined ${chatName(group)}, invited by ${who}.`);
  if (!isOpen(state)) return words(`${who} invited me to ${kindAndName(group)}.`);
  return words(
    `${who} invites me to ${kindAndName(group)}, as ${isRole(role) ? role : literalText(role, 50)}.`,
  );
}

export function memberClauses(fields: MemberFields, state: ActionState): Clause[] {
  const { chat, name, group, lookAlike } = fields;
  const of = `of ${chatName(group)}`;
  if (state.state === "done") {
    return words(`${displayName(name)} ${of} is connected to me: contact ${chat}.`);
  }
  const who = `${displayName(name)}${lookAlike ? ` (${chat})` : ""} ${of}`;
  return words(`${who} ${isOpen(state) ? "asks" : "asked"} to connect to me.`);
}

function words(text: string): Clause[] {
  return [{ glue: "", words: text }];
}

/** It is asked still. */
function isOpen({ state }: ActionState): boolean {
  return state === "pending" || state === "performing";
}
