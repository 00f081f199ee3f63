import { z } from "zod";
import type { Pagination } from "../core/commands.js";
import { isItemNotFound } from "../core/errors/errors.js";
import type { ChatItem, ChatRef } from "../core/types.js";
import { isLive, Message, viewItem } from "../messages/view.js";
import { tellsOfRequest } from "../messages/waiting.js";
import type { AgentDeps } from "./call/agent.js";
import { readChat } from "./call/known-chat.js";
import { chat, item, limit, validText } from "./call/schemas.js";
import { type Tool, ToolError } from "./call/tool.js";

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

  async run(deps, input, call) {
    const { before, after, around } = input;
    if ([before, after, around].filter((id) => id !== undefined).length > 1) {
      throw new ToolError("Give only one of before, after and around.");
    }
    if (input.search !== undefined) searchable(input.search);
    await readChat(deps, input.chat);
    const { items, more, info } = await page(deps, input, call.signal);
    return {
      result: {
        chat: input.chat,
        messages: items
          .filter((one) => !isLive(one) && !tellsOfRequest(one))
          .map((one) => viewItem(one, info, deps.viewer)),
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

/** Items that are asked for at once where the first page has too few hits. */
const NEXT_PAGE = 100;

/** One page of items; asks on where what the core finds is no hit. */
async function page(deps: AgentDeps, { around, search, ...request }: PageRequest, signal: AbortSignal) {
  const { chat: ref, limit: wanted } = request;
  const isHit = hits(search);
  if (around !== undefined) {
    const pagination = { around, count: Math.floor((wanted - 1) / 2) };
    const { chat: read, navInfo } = await readPage(deps, ref, pagination, search);
    // The core gives the item itself, whatever is searched for.
    const items = read.chatItems.filter((one) => isHit(one) || one.meta.itemId === around);
    return { items, more: (navInfo?.afterTotal ?? 0) > 0, info: read.chatInfo };
  }
  const isOnwards = request.after !== undefined;
  let anchor = isOnwards ? request.after : request.before;
  // One item more than wanted tells whether there are more.
  let count = wanted + 1;
  const found: ChatItem[] = [];
  for (;;) {
    const from = anchor === undefined ? {} : isOnwards ? { after: anchor } : { before: anchor };
    const { chatInfo: info, chatItems } = (await readPage(deps, ref, { ...from, count }, search)).chat;
    found.splice(isOnwards ? found.length : 0, 0, ...chatItems.filter(isHit));
    // Nobody waits for the rest of a call that was cancelled.
    if (found.length > wanted || chatItems.length < count || signal.aborted) {
      const items = isOnwards ? found.slice(0, wanted) : found.slice(-wanted);
      return { items, more: found.length > wanted, info };
    }
    anchor = chatItems.at(isOnwards ? -1 : 0)?.meta.itemId;
    count = Math.max(count, NEXT_PAGE);
  }
}

async function readPage(deps: AgentDeps, ref: ChatRef, page: Pagination, search: string | undefined) {
  try {
    return await deps.core.getChat(ref, page, search);
  } catch (error) {
    const anchor = Object.entries(page).find(([key]) => key !== "count")?.[1];
    if (isItemNotFound(error)) throw new ToolError(`There is no item ${anchor} in ${ref}.`);
    throw error;
  }
}

/** The core takes % for any text and _ for any character; of letters, it takes those of ASCII in either case. */
function hits(search: string | undefined): (item: ChatItem) => boolean {
  if (search === undefined || !/[%_]/.test(search)) return () => true;
  const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const wanted = folded(search.trim());
  return ({ meta }) => folded(meta.itemText).includes(wanted);
}

/** The core takes the search to the end of its line. */
function searchable(search: string): void {
  validText(search, "search");
  if (/[\r\n]/.test(search)) throw new ToolError("search takes one line.");
}
