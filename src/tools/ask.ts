import { z } from "zod";
import type { AskFields } from "../actions/action.js";
import type { Work } from "../actions/actions.js";
import { foldedLine } from "../text/literal.js";
import { actionOfCall, actionResult, delivering, undone } from "./call/action-call.js";
import { ActionFieldsOut, validText } from "./call/schemas.js";
import { isBlank } from "./call/text.js";
import { type Tool, ToolError } from "./call/tool.js";

const Input = z.strictObject({
  question: z.string().describe("What you want to know, with all that is needed to answer it."),
  choices: z
    .array(z.string().min(1).max(60))
    .min(2)
    .max(6)
    .optional()
    .describe("Answers to tap, 1 to 60 characters each. Owners may still answer in their own words."),
});

const Output = z.object({
  ...ActionFieldsOut,
  answer: z.string().optional().describe("What an owner said."),
  choice: z.int().optional().describe("Which of the choices it is, from 1 on."),
  by: z.string().optional().describe("Which owner."),
});

export const ask: Tool<typeof Input, typeof Output> = {
  name: "ask",
  title: "Ask the owner",
  description:
    "Asks your owners a question and waits for an answer, which may take hours. Nobody else sees it. Calling again with the same question and choices resumes a lost call.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },

  async run(deps, { question, choices = [] }, call) {
    for (const text of [question, ...choices]) {
      if (isBlank(validText(text, text === question ? "question" : "choice")))
        throw new ToolError("A question or choice is empty. Say what you want to know.");
    }
    if (new Set(choices).size < choices.length)
      throw new ToolError("Two choices are the same. Give each once.");
    const fields: AskFields = { tool: "ask", question, choices };
    const action = await actionOfCall(
      deps,
      {
        key: JSON.stringify(["ask", question, choices]),
        fields,
        input: { question, ...(choices.length > 0 ? { choices } : {}) },
        work: new AskWork(),
      },
      call,
    );
    if (!action) return undefined;
    const { state } = action;
    if (state.state !== "answered") return undone(deps, action, call, {});
    const { answer, choice, by } = state;
    return delivering(deps, action, call, {
      result: {
        ...actionResult(action),
        answer,
        ...(choice === undefined ? {} : { choice }),
        by: foldedLine(by),
      },
    });
  },
};

/** A question is answered: there is nothing to perform, nor to hold. */
class AskWork implements Work {
  async perform(): Promise<void> {
    throw new Error("A question cannot be performed.");
  }

  dispose(): void {}
}
