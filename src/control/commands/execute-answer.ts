/** What owners say to the agent's questions. */
import type { AskFields } from "../../actions/action.js";
import { askTexts, refusals } from "../texts/replies.js";
import { type OwnerPowers, replyTo } from "./powers.js";

interface GivenAnswer {
  number: number;
  text?: string;
}

/** `/answer N TEXT`, where a number may stand for the choice that has it. */
export function answer({ number, text }: GivenAnswer, by: string, powers: OwnerPowers): string | undefined {
  const question = pendingQuestion(number, powers);
  if (typeof question === "string") return question;
  if (text === undefined) return askTexts.answerMissing(number);
  const chosen = /^\d+$/.test(text) ? question.choices[Number(text) - 1] : undefined;
  return chosen === undefined
    ? say(number, text, question, by, powers)
    : say(number, chosen, question, by, powers);
}

/** A reply to the card of question `number`: its text as it is. */
export function answerByReply(
  { number, text }: Required<GivenAnswer>,
  by: string,
  powers: OwnerPowers,
): string | undefined {
  const question = pendingQuestion(number, powers);
  if (typeof question === "string") return question;
  return text.trim() === "" ? askTexts.noText(number) : say(number, text, question, by, powers);
}

function say(
  number: number,
  text: string,
  { choices }: AskFields,
  by: string,
  { actions }: OwnerPowers,
): string | undefined {
  const choice = choices.indexOf(text) + 1;
  return replyTo(number, actions.answer(number, { by, answer: text, ...(choice > 0 ? { choice } : {}) }));
}

/** The question, or why there is nothing to answer. */
function pendingQuestion(number: number, { actions }: OwnerPowers): AskFields | string {
  const fields = actions.pending().find((action) => action.number === number)?.fields;
  if (!fields) return refusals.notPending(number);
  return fields.tool === "ask" ? fields : refusals.wrongKind(number, fields);
}
