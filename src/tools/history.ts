import { z } from "zod";
import type { Pagination } from "../core/commands.js";
import { isItemNotFound } from "../core/errors.js";
import type { ChatRef } from "../core/types.js";
import { isLive, Message, viewItem } from "../messages/view.js";
import type { AgentDeps } from "./agent.js";
import { readChat } from "./known-chat.js";
import { chat, item, limit, validText } from "./schemas.js";
import { type Tool, ToolError } from "./tool.js";

const Input = z.strictObject({
  chat,
  before: item.optional().describe("Only what is older than this item."),
  after: item.optional().describe("Only what is newer than this item."),
  around: item.optional().describe("This item and what is around it."),
  search: z.string().min(1).max(1000).optional().describe("Only messages with this text."),
  limit,
});

const Output = z.object({
  chat: z.string(),
  messages: z.array(Message),
  more: z.boolean().describe("There are more messages in the direction of the page."),
});

export const history: Tool<typeof Input, typeof Output> = {
  name: "history",
  title: "History",
  description:
    "Messages and events of a chat, oldest first; without before, after or around the latest. Marks nothing as read.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },

  async run(deps, input) {
    const { before, after, around } = input;
    if ([before, after, around].filter((id) => id !== undefined).length > 1) {
      throw new ToolError("Give only one of before, after and around.");
    }
    if (input.search !== undefined) searchable(input.search);
    await readChat(deps, input.chat);
    const { items, more, info } = await page(deps, input);
    return {
      result: {
        chat: input.chat,
        messages: items.filter((one) => !isLive(one)).map((one) => viewItem(one, info, deps.viewer)),
        more,
      },
    };
  },
};

interface PageRequest {
  chat: ChatRef;
  before?: number | undefined;
  after?: number | undefined;
  around?: number | undefined;
  search?: string | undefined;
  limit: number;
}

/** One page, with one item more asked for than wanted, to know whether there are more. */
async function page(deps: AgentDeps, request: PageRequest) {
  const { chat: ref, before, after, around, search, limit: wanted } = request;
  const half = Math.floor((wanted - 1) / 2);
  const pagination: Pagination =
    around !== undefined
      ? { around, count: half }
      : after !== undefined
        ? { after, count: wanted + 1 }
        : before !== undefined
          ? { before, count: wanted + 1 }
          : { count: wanted + 1 };
  try {
    const { chat: read, navInfo } = await deps.core.getChat(ref, pagination, search);
    const all = read.chatItems;
    if (around !== undefined)
      return { items: all, more: (navInfo?.afterTotal ?? 0) > 0, info: read.chatInfo };
    const items = after !== undefined ? all.slice(0, wanted) : all.slice(-wanted);
    return { items, more: all.length > wanted, info: read.chatInfo };
  } catch (error) {
    const anchor = around ?? after ?? before;
    if (isItemNotFound(error)) throw new ToolError(`There is no item ${anchor} in ${ref}.`);
    throw error;
  }
}

/** The core takes the search to the end of its line. */
function searchable(search: string): void {
  validText(search, "search");
  if (/[\r\n]/.test(search)) throw new ToolError("search takes one line.");
}
