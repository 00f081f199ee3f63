import { z } from "zod";
import type { Action } from "../actions/actions.js";
import type { AChat, ChatInfo, ChatRef } from "../core/types.js";
import { describeChat, isUnusedPreset, visibleChat } from "../messages/chats.js";
import { isLive, Message, viewItem } from "../messages/view.js";
import { isWaiting, tellsOfRequest } from "../messages/waiting.js";
import { visibleName } from "../text/for-agent.js";
import type { AgentDeps } from "./call/agent.js";
import { readChat } from "./call/known-chat.js";
import { chat, limit, validText } from "./call/schemas.js";
import { type Tool, ToolError } from "./call/tool.js";

const Input = z.strictObject({
  search: z.string().min(1).max(100).optional().describe("Part of a chat's name or description."),
  limit,
  before: chat.optional().describe("The last chat of the page before: gives the chats after it."),
});

const Approval = z.object({
  by: z.string(),
  at: z.string(),
  until: z.string().optional().describe("When it ends."),
  left: z.number().optional().describe("How many more it lets through."),
});

const ListedChat = z.object({
  chat: z.string(),
  kind: z.string(),
  name: z.string(),
  address: z.string().optional(),
  unread: z.number(),
  role: z.string().optional(),
  connected: z.boolean(),
  approved: Approval.optional().describe("Text messages to it need no further approval."),
  files_approved: Approval.optional().describe("Downloads from it need no further approval."),
  last: Message.optional(),
});

const Output = z.object({
  agent: z.object({
    name: z.string(),
    address: z.string().optional().describe("Your own address: whoever has it can ask to connect to you."),
    paused: Approval.optional().describe("An owner paused the agent: nothing goes out until it is resumed."),
  }),
  chats: z.array(ListedChat),
  more: z.number().optional().describe("Chats that cannot be read, and are not in chats."),
  actions: z.array(
    z.object({
      action: z.number(),
      tool: z.string(),
      input: z.record(z.string(), z.unknown()),
      state: z.string(),
      created: z.string(),
      expires: z.string(),
      open: z.boolean().describe("A call waits for it."),
    }),
  ),
});

export const list: Tool<typeof Input, typeof Output> = {
  name: "list",
  title: "Chats and actions",
  description: "The agent's chats, latest first, and its actions that are not delivered yet.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },

  async run(deps, input) {
    if (input.search !== undefined) validText(input.search, "search");
    const { chats, unreadable } = await listedChats(deps, input);
    const address = await deps.links.address();
    return {
      result: {
        agent: {
          name: deps.viewer.name,
          ...(address ? { address: address.link } : {}),
          ...(deps.pause.current ? { paused: deps.pause.current } : {}),
        },
        chats: chats.flatMap((one) => viewChat(deps, one) ?? []),
        ...(unreadable > 0 ? { more: unreadable } : {}),
        actions: deps.actions
          .all()
          .filter((action) => !action.isIncoming)
          .map(viewAction),
      },
    };
  },
};

interface ChatPage {
  search?: string | undefined;
  limit: number;
  before?: ChatRef | undefined;
}

/** Chats, and how many were passed over since they could not be read. */
interface Listed {
  chats: AChat[];
  unreadable: number;
}

/** Chats after `before`, without those that are not the agent's; asks on until the page is full. */
async function listedChats(deps: AgentDeps, { search, limit: wanted, before }: ChatPage): Promise<Listed> {
  if (search !== undefined) return foundChats(deps, search, { limit: wanted, before });
  const found: AChat[] = [];
  let unreadable = 0;
  let cursor = before === undefined ? undefined : await timeOfChat(deps, before);
  // Where strangers wait by the thousand, pages of them grow.
  for (let hidden = HIDDEN_CHATS; ; hidden *= 4) {
    const count = wanted - found.length + hidden;
    const page = await deps.core.getChats(deps.user.userId, {
      count,
      ...(cursor === undefined ? {} : { before: cursor }),
    });
    found.push(...page.filter((one) => isListed(deps, one)));
    unreadable += page.filter((one) => isUnreadable(deps, one)).length;
    const last = page.at(-1);
    cursor = last && chatTime(last.chatInfo);
    if (found.length >= wanted || page.length < count || cursor === undefined)
      return { chats: found.slice(0, wanted), unreadable };
  }
}

/** The core pages either by time or by a search: here all that it finds is asked for each time. */
async function foundChats(
  deps: AgentDeps,
  search: string,
  { limit: wanted, before }: ChatPage,
): Promise<Listed> {
  const hits = await deps.core.getChats(deps.user.userId, { search });
  const all = hits.filter((one) => isListed(deps, one));
  const unreadable = hits.filter((one) => isUnreadable(deps, one)).length;
  if (before === undefined) return { chats: all.slice(0, wanted), unreadable };
  const index = all.findIndex((one) => describeChat(one.chatInfo)?.chat === before);
  if (index >= 0) return { chats: all.slice(index + 1).slice(0, wanted), unreadable };
  throw new ToolError(
    `${before} is not among the chats that this search finds. Give the last chat of the page before, or leave before out.`,
  );
}

/** All chats that the agent has. */
export async function allChats(deps: AgentDeps): Promise<ChatInfo[]> {
  const all = await deps.core.getChats(deps.user.userId);
  return all.filter((one) => isListed(deps, one)).map(({ chatInfo }) => chatInfo);
}

/** The control chat, the notes and the preset contacts: asked for on top, so that one page mostly is enough. */
const HIDDEN_CHATS = 4;

function isListed(deps: AgentDeps, one: AChat): boolean {
  const description = describeChat(one.chatInfo);
  if (!description || description.chat === deps.controlChat) return false;
  return !isUnusedPreset(one) && !isWaiting(one.chatInfo);
}

function isUnreadable(deps: AgentDeps, { chatInfo }: AChat): boolean {
  return chatInfo.type === "unreadable" && chatInfo.chat !== deps.controlChat;
}

async function timeOfChat(deps: AgentDeps, ref: ChatRef): Promise<string | undefined> {
  return chatTime((await readChat(deps, ref)).info);
}

/** The time by which the core orders chats, as it gave it: a parsed time would lose digits. */
function chatTime(chatInfo: ChatInfo): string | undefined {
  if (chatInfo.type === "direct") return chatInfo.contact.chatTs ?? chatInfo.contact.createdAt;
  if (chatInfo.type === "group") return chatInfo.groupInfo.chatTs ?? chatInfo.groupInfo.createdAt;
  return chatInfo.type === "unreadable" ? chatInfo.time : undefined;
}

function viewChat(deps: AgentDeps, { chatInfo, chatItems, chatStats }: AChat) {
  const description = describeChat(chatInfo);
  if (!description) return undefined;
  const approved = deps.standing.describe(chatInfo, "messages");
  const filesApproved = deps.standing.describe(chatInfo, "files");
  const last = chatItems.at(-1);
  return {
    ...visibleChat(description),
    unread: chatStats.unreadCount,
    ...(approved ? { approved: visibleApproval(approved) } : {}),
    ...(filesApproved ? { files_approved: visibleApproval(filesApproved) } : {}),
    // Half a message would be answered before it is whole.
    ...(last && !isLive(last) && !tellsOfRequest(last)
      ? { last: viewItem(last, chatInfo, deps.viewer) }
      : {}),
  };
}

function visibleApproval<Approval extends { by: string }>(approval: Approval): Approval {
  return { ...approval, by: visibleName(approval.by) };
}

function viewAction(action: Action) {
  return {
    action: action.number,
    tool: action.tool,
    input: action.input,
    state: action.state.state,
    created: new Date(action.created).toISOString(),
    expires: new Date(action.expires).toISOString(),
    open: action.calls.size > 0,
  };
}
