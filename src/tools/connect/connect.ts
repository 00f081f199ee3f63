import { z } from "zod";
import { isFinal } from "../../actions/action.js";
import type { Action } from "../../actions/actions.js";
import { requestBytesTooLong } from "../../core/limits.js";
import type { ChatRef } from "../../core/types.js";
import { visibleChat } from "../../messages/chats.js";
import type { Arrived } from "../../messages/collected.js";
import { isLive, Message, viewItem } from "../../messages/view.js";
import { timeText } from "../../time/clock.js";
import {
  actionOfCall,
  actionResult,
  delivering,
  earlierAction,
  type Performing,
  undone,
} from "../call/action-call.js";
import type { AgentDeps } from "../call/agent.js";
import { readChat } from "../call/known-chat.js";
import { Handover, waitForReplies } from "../call/replies.js";
import { ActionFieldsOut, idle, validText, wait } from "../call/schemas.js";
import { isBlank } from "../call/text.js";
import { type Tool, ToolError } from "../call/tool.js";
import { ConnectWork } from "./connect-work.js";
import { classifyPlan, type Target } from "./plan.js";

const Input = z.strictObject({
  target: z
    .string()
    .min(1)
    .describe("SimpleX name (@name.tld), address, group or channel link, or one-time link."),
  incognito: z.boolean().default(false).describe("Connect under a random name instead of the agent's."),
  message: z
    .string()
    .optional()
    .describe("A message sent with the request. Contacts, bots and businesses only."),
  wait: wait(60, "how long to wait for the connection and first messages"),
  idle,
});

const Output = z.object({
  ...ActionFieldsOut,
  chat: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  connected: z.boolean().optional(),
  messages: z.array(Message).optional(),
});

export const connect: Tool<typeof Input, typeof Output> = {
  name: "connect",
  title: "Connect",
  description:
    "Connects to a person, bot, business, group or channel on SimpleX, and waits for the connection and the first messages. Calling again with the same target, incognito and message resumes a lost call.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  outward: true,

  async run(deps, input, call) {
    const { incognito } = input;
    const target = targetOf(input);
    // A call that comes back gets no message that the agent has by now.
    const isKnown = deps.claims.givenByNow();
    const message = messageOf(input);
    const key = JSON.stringify(["connect", target, incognito, message ?? null]);
    const found = await earlierAction(deps, key);
    const late = found !== undefined && isFinal(found.state);
    let work = found?.work instanceof ConnectWork ? found.work : undefined;
    if (!work) {
      const plan = await planTarget(deps, target, message);
      if (plan.way.way === "known") return { result: await knownTarget(deps, plan.way.chat) };
      work = new ConnectWork(deps, plan, { target, incognito, message, wait: input.wait * 1000 });
    }
    const action = await actionOfCall(
      deps,
      {
        key,
        fields: work.fields,
        input: { target, ...(incognito ? { incognito } : {}), ...(message === undefined ? {} : { message }) },
        work,
        ...(deps.mode === "host" ? { preapproval: async () => ({ kind: "host" as const }) } : {}),
      },
      call,
      (current) => waitingFor(current, deps, input.wait * 1000),
    );
    if (!action) return undefined;
    const done = action.work;
    if (action.state.state !== "done" || !(done instanceof ConnectWork))
      return undone(deps, action, call, {});
    const { chat, collected, connected } = done;
    const first = await done.firstMessages();
    const arrived = () =>
      merge(first, collected?.arrived ?? []).filter(
        ({ item }) => !isLive(item) && !isKnown(item.meta.itemId),
      );
    if (chat && collected && connected) {
      await waitForReplies(deps, collected, call, {
        chat,
        base: late ? call.startedAt : done.startedAt,
        wait: input.wait * 1000,
        idle: input.idle * 1000,
        count: () => arrived().length,
        ...(message === undefined ? { idleFrom: done.connectedAt } : {}),
      });
      if (call.signal.aborted) return undefined;
    }
    const returned = arrived();
    // Before they are claimed: what cannot be shown is not kept from other calls.
    const messages = returned.map(({ item, info }) => viewItem(item, info, deps.viewer));
    const handover = new Handover(deps).add(returned);
    return delivering(deps, action, call, {
      result: {
        ...actionResult(action),
        ...(chat ? { chat } : {}),
        connected,
        messages,
      },
      onWritten: () => handover.written(),
      onLost: () => handover.lost(),
    });
  },
};

/** As it was copied: what stands around it is no part of it. */
function targetOf({ target: copied }: { target: string }): string {
  const target = validText(copied, "target").trim();
  if (target === "") throw new ToolError("This is not a SimpleX link or name: check that it is complete.");
  return target;
}

/** Blanks alone show nothing: they are no message. */
function messageOf({ message }: { message?: string | undefined }): string | undefined {
  if (message === undefined || isBlank(message)) return undefined;
  const excess = requestBytesTooLong(validText(message, "message"));
  if (excess === 0) return message;
  throw new ToolError(
    `The message is ${excess} bytes too long for a connection request. Shorten it, or send the rest when connected.`,
  );
}

async function planTarget(deps: AgentDeps, target: string, message: string | undefined): Promise<Target> {
  const answer = await deps.core.connectPlan(deps.user.userId, target);
  const plan = classifyPlan(target, answer, message);
  if ("refusal" in plan) throw new ToolError(plan.refusal);
  return plan;
}

async function knownTarget(deps: AgentDeps, chat: ChatRef) {
  const { kind, name, connected } = visibleChat(await readChat(deps, chat));
  return { status: "known" as const, chat, kind, name, connected };
}

/** What the call waits for while the connection is made; its own `wait` may lengthen it. */
function waitingFor(action: Action, deps: AgentDeps, wait: number): Performing {
  const until = action.work instanceof ConnectWork ? action.work.waitAtLeast(wait) : undefined;
  if (until === undefined) return {};
  const time = timeText(deps.clock, until);
  return { text: `Action ${action.number} waits for the connection until ${time}.` };
}

/** Messages by item, each in its newest version: that of the watch. */
function merge(first: Arrived[], watched: Arrived[]): Arrived[] {
  return [...new Map([...first, ...watched].map((arrived) => [arrived.item.meta.itemId, arrived])).values()];
}
