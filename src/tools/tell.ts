import { z } from "zod";
import { validText } from "./call/schemas.js";
import { isBlank } from "./call/text.js";
import { type Tool, ToolError } from "./call/tool.js";

const Input = z.strictObject({ text: z.string().describe("What your owners should know.") });

const Output = z.object({ status: z.literal("told") });

export const tell: Tool<typeof Input, typeof Output> = {
  name: "tell",
  title: "Tell the owner",
  description:
    "Tells your owners something, and waits for nothing: how far you are, what you found, what you could not do. Nobody else sees it.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },

  async run(deps, { text }) {
    if (isBlank(validText(text, "text")))
      throw new ToolError("The text is empty. Say what you want to tell.");
    await deps.report(text);
    return { result: { status: "told" } };
  },
};
