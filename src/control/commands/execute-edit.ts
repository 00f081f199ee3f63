/** An owner's text instead of the agent's. */
import { type ChatRef, textOf } from "../../actions/action.js";
import { changedExcess } from "../texts/cards.js";
import { beginning } from "../texts/endings.js";
import { editTexts, refusals } from "../texts/replies.js";
import { type OwnerPowers, replyTo } from "./powers.js";

interface NamedEdit {
  number: number;
  chat?: ChatRef;
  text?: string;
}

/** Lets the action through with this text, where all of it fits; else it stays as it is. */
export function edit({ number, chat, text }: NamedEdit, by: string, powers: OwnerPowers): string | undefined {
  const { actions, bytesTooLong } = powers;
  const action = actions.pending().find((one) => one.number === number);
  if (!action) return refusals.notPending(number);
  const { fields, work } = action;
  if (chat !== undefined && action.chat !== chat) return refusals.otherChat(number, fields);
  const old = textOf(fields);
  const revision = old === undefined ? undefined : work.revise?.(text ?? old);
  if (old === undefined || !revision) return editTexts.noText(number, fields);
  if (text === undefined) {
    return editTexts.copy(`/edit ${action.chat === undefined ? "" : `${action.chat} `}${number}`, old);
  }
  // The agent's text is told as far as there is room: the new one is what counts.
  const changedFrom = changedExcess(revision.fields, old, bytesTooLong) > 0 ? beginning(old) : old;
  const excess = Math.max(revision.excess, changedExcess(revision.fields, changedFrom, bytesTooLong));
  if (excess > 0) return editTexts.tooLong(number, excess);
  return replyTo(number, actions.approve(number, by, chat, { ...revision, changedFrom }));
}
