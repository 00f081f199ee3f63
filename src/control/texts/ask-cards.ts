/** What cards say of the agent's questions to its owners. */
import type { ActionState, AskFields } from "../../actions/action.js";
import { literalText } from "../../text/literal.js";
import { announce, type Clause } from "./clauses.js";

export function askClauses({ question }: AskFields, { state }: ActionState): Clause[] {
  return [announce("", state === "pending" ? "I ask" : "I asked", question)];
}

/** The choices, a line each, with what chooses them while nobody has answered. */
export function choiceLines(number: number, { choices }: AskFields, { state }: ActionState): string[] {
  return choices.map((choice, index) => {
    const command = state === "pending" ? `/'answer ${number} ${index + 1}' ` : "";
    return command + literalText(choice);
  });
}

/** The last line of a question that waits. */
export function answerLine(number: number): string {
  return `/'answer ${number}' with your text, or reply to this message.`;
}
