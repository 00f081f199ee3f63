import { z } from "zod";
import { isChatNotFound, isUnreadable } from "../core/errors/errors.js";
import { explain } from "../core/errors/explain.js";
import type { ChatRef } from "../core/types.js";
import { describeChat } from "../messages/chats.js";
import type { Arrived, Collected } from "../messages/collected.js";
import { isLive } from "../messages/items.js";
import { readUnread } from "../messages/unread.js";
import { Message, viewItem } from "../messages/view.js";
import { isWaiting } from "../messages/waiting.js";
import { visibleName } from "../text/for-agent.js";
import { timeText } from "../time/clock.js";
import { either, nextChange } from "../time/wait.js";
import type { AgentDeps } from "./call/agent.js";
import type { ToolCall } from "./call/call.js";
import { noChat, readChat } from "./call/known-chat.js";
import { Handover } from "./call/replies.js";
import { chat, limit, wait } from "./call/schemas.js";
import type { Tool } from "./call/tool.js";

const Input = z.strictObject({
  chat: chat.optional().describe("Only this chat: @4 or #15; without it, all chats."),
  wait: wait(0, "how long to wait for a message when none is unread"),
  limit,
});

const Output = z.object({
  chat: z.string().optional(),
  messages: z.array(Message.extend({ chat: z.string().optional(), chat_name: z.string().optional() })),
  more: z.number().describe("Unread items that are not in messages."),
});

export const receive: Tool<typeof Input, typeof Output> = {
  name: "receive",
  title: "Receive",
  description:
    "Returns unread messages, of one chat or of all, and marks them as read. With wait, the first new message ends the wait.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },

  async run(deps, input, call) {
    if (input.chat !== undefined) await readChat(deps, input.chat);
    // From before the read: what arrives during it is not missed. Events wait while an owner's command is handled,
    // so one may tell of a message that a call has read by now.
    const arriving = deps.watch.collect(input.chat ?? "all", {
      from: ({ item }) => !deps.claims.isTaken(item.meta.itemId),
    });
    try {
      const got = await firstMessages(deps, input, call, arriving);
      if (!got) return undefined;
      const { handover } = got;
      return {
        result: {
          ...(input.chat === undefined ? {} : { chat: input.chat }),
          messages: viewAll(deps, got, input.chat === undefined),
          more: got.more,
        },
        onWritten: () => handover.written(),
        onLost: () => handover.lost(),
      };
    } finally {
      arriving.stop();
    }
  },
};

/** Unread messages, what is to be marked as read with them, and how many unread items stay. */
interface Unread {
  messages: Arrived[];
  readIds: Map<ChatRef, number[]>;
  more: number;
  /** Those that stay and are still being typed. */
  typed: number[];
}

const NOTHING: Unread = { messages: [], readIds: new Map(), more: 0, typed: [] };

/** Messages that this call returns, and no other that reads meanwhile. */
interface Got {
  messages: Arrived[];
  more: number;
  handover: Handover;
}

interface Wanted {
  chat?: ChatRef | undefined;
  wait: number;
  limit: number;
}

/** What is unread; where nothing is, what arrives first. Undefined when the call was aborted. */
async function firstMessages(
  deps: AgentDeps,
  wanted: Wanted,
  call: ToolCall,
  arriving: Collected,
): Promise<Got | undefined> {
  const { claims, clock } = deps;
  const until = call.startedAt + wanted.wait * 1000;
  const where = wanted.chat === undefined ? "" : ` in ${wanted.chat}`;
  let isFirst = true;
  for (;;) {
    const { returns } = claims;
    const unread = await claimUnread(deps, wanted).catch((error: unknown) => {
      if (isFirst) throw error;
      // What the call waits for goes on to come.
      deps.log(`Unread messages could not be read again: ${explain(error)}`);
      return { ...NOTHING, handover: new Handover(deps) };
    });
    isFirst = false;
    if (call.signal.aborted) {
      unread.handover.lost();
      return undefined;
    }
    if (unread.messages.length > 0 || wanted.wait === 0) return unread;
    // Another call returns these; what comes from now on is for every call that waits.
    const taken = new Set(
      arriving.arrived.map(({ item }) => item.meta.itemId).filter((id) => claims.isTaken(id)),
    );
    while (claims.returns === returns) {
      const arrived = arriving.arrived.filter(({ item }) => !taken.has(item.meta.itemId));
      if (arrived.some(({ item }) => !isLive(item)) || clock.elapsed() >= until)
        return withArrived(unread, arrived, wanted.limit, arriving.overflow);
      if (wanted.chat !== undefined && arriving.ended) {
        unread.handover.lost();
        throw noChat(wanted.chat);
      }
      call.progress(`No new messages${where}; waiting until ${timeText(clock, until)}.`);
      await nextChange(either(arriving.onChange, claims.onReturn), { clock, until, signal: call.signal });
      if (call.signal.aborted) {
        unread.handover.lost();
        return undefined;
      }
    }
    // The other call did not come through with what it had taken: that is unread again.
    unread.handover.release();
  }
}

/** Reads what is unread, so that no other call returns it. */
async function claimUnread(deps: AgentDeps, { chat: ref, limit: wanted }: Wanted) {
  return await deps.claims.exclusively(async () => {
    const read = ref === undefined ? await unreadOfAll(deps, wanted) : await unreadOf(deps, ref, wanted);
    return { ...read, handover: new Handover(deps, read.readIds) };
  });
}

/** What arrived, where no message was unread. */
function withArrived(
  { more, typed, handover }: Unread & { handover: Handover },
  arrived: readonly Arrived[],
  wanted: number,
  overflow: number,
): Got {
  const messages = arrived.filter(({ item }) => !isLive(item)).slice(0, wanted);
  handover.add(messages);
  const ids = new Set(arrived.map(({ item }) => item.meta.itemId));
  // What was typed before and went on since is in both.
  const before = more - typed.filter((id) => ids.has(id)).length;
  return { messages, more: before + arrived.length - messages.length + overflow, handover };
}

async function unreadOf(deps: AgentDeps, ref: ChatRef, wanted: number): Promise<Unread> {
  const { info, messages, readIds, ...rest } = await readUnread(deps.core, ref, wanted, deps.claims);
  return {
    messages: messages.map((item) => ({ chat: ref, info, item })),
    readIds: new Map([[ref, readIds]]),
    ...rest,
  };
}

/** Of every chat, the one that was unread for the longest time first: item numbers grow with arrival. */
async function unreadOfAll(deps: AgentDeps, wanted: number): Promise<Unread> {
  const got: Unread = { messages: [], readIds: new Map(), more: 0, typed: [] };
  const chats = (await deps.core.getChats(deps.user.userId, { unread: true })).flatMap(
    ({ chatInfo, chatStats }) => {
      if (chatInfo.type === "unreadable" && chatInfo.chat !== deps.controlChat)
        got.more += chatStats.unreadCount;
      const ref = describeChat(chatInfo)?.chat;
      if (ref === undefined || ref === deps.controlChat || chatStats.unreadCount === 0) return [];
      if (isWaiting(chatInfo)) return [];
      return [{ ref, first: chatStats.minUnreadItemId, count: chatStats.unreadCount }];
    },
  );
  chats.sort((one, other) => one.first - other.first);
  for (const { ref, count } of chats) {
    const left = wanted - got.messages.length;
    if (left === 0) {
      got.more += count;
      continue;
    }
    const unread = await unreadOf(deps, ref, left).catch((error: unknown) => {
      // It was left since they were listed.
      if (isChatNotFound(error)) return NOTHING;
      if (!isUnreadable(error)) throw error;
      deps.log(`The messages of ${ref} are passed over: ${explain(error)}`);
      return { ...NOTHING, more: count };
    });
    const { messages, readIds, more, typed } = unread;
    got.messages.push(...messages);
    for (const [chat, ids] of readIds) got.readIds.set(chat, ids);
    got.more += more;
    got.typed.push(...typed);
  }
  return got;
}

/** What cannot be shown is not kept from other calls. */
function viewAll(deps: AgentDeps, { messages, handover }: Got, named: boolean) {
  try {
    return messages.map((one) => view(deps, one, named));
  } catch (error) {
    handover.lost();
    throw error;
  }
}

function view(deps: AgentDeps, { chat, info, item }: Arrived, named: boolean) {
  const message = viewItem(item, info, deps.viewer);
  return named ? { ...message, chat, chat_name: visibleName(describeChat(info)?.name ?? "") } : message;
}
