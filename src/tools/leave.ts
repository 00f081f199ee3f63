import { z } from "zod";
import type { Decision, LeaveFields } from "../actions/action.js";
import type { Work } from "../actions/actions.js";
import { isChatNotFound } from "../core/errors/errors.js";
import { explain } from "../core/errors/explain.js";
import { isActive, isCurrent } from "../core/limits.js";
import { actionOfCall, actionResult, delivering, earlierAction, undone } from "./call/action-call.js";
import type { AgentDeps } from "./call/agent.js";
import { type KnownChat, readChat } from "./call/known-chat.js";
import { ActionFieldsOut, chat } from "./call/schemas.js";
import type { Tool } from "./call/tool.js";

const Input = z.strictObject({ chat });
const Output = z.object({ ...ActionFieldsOut, chat: z.string() });

export const leave: Tool<typeof Input, typeof Output> = {
  name: "leave",
  title: "Leave",
  description: "Leaves a group, channel or business chat, or deletes a contact, with the messages in it.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  outward: true,

  async run(deps, input, call) {
    const key = JSON.stringify(["leave", input.chat]);
    // Before the chat is read: the same call after a deletion finds its action.
    const found = (await earlierAction(deps, key, input.chat))?.work;
    const work = found instanceof LeaveWork ? found : new LeaveWork(deps, await readChat(deps, input.chat));
    const action = await actionOfCall(
      deps,
      {
        key,
        fields: work.fields,
        input: { chat: input.chat },
        work,
        ...(deps.mode === "host" ? { preapproval: async () => ({ kind: "host" as const }) } : {}),
      },
      call,
    );
    if (!action) return undefined;
    if (action.state.state !== "done") return undone(deps, action, call, { chat: input.chat });
    return delivering(deps, action, call, { result: { ...actionResult(action), chat: input.chat } });
  },
};

class LeaveWork implements Work {
  readonly fields: LeaveFields;
  readonly #deps: AgentDeps;

  constructor(deps: AgentDeps, { chat, kind, name }: KnownChat) {
    this.#deps = deps;
    this.fields = { tool: "leave", chat, kind, name };
  }

  async perform({ decision, stop }: { decision: Decision; stop: AbortSignal }): Promise<void> {
    const { chat, kind, name } = this.fields;
    const now = await readChat(this.#deps, chat);
    if (stop.aborted) throw new Error("The server is stopping.");
    if (now.kind !== kind || now.name !== name) {
      throw new Error("The chat has another name than on the card now. Call leave again to ask.");
    }
    const by = "by" in decision ? decision.by : undefined;
    await leaveChat(this.#deps, now, { by, reason: "The agent left this chat." });
  }

  dispose(): void {}
}

/** Who had the chat left, and what is told of that to what waits for the chat. By nobody in mode `host`. */
export interface Departure {
  by: string | undefined;
  reason: string;
}

type LeaveDeps = Pick<AgentDeps, "core" | "files" | "watch" | "actions" | "leaving" | "freed" | "log">;

/**
 * Leaves the group where the agent is in it, and deletes the chat; the others are told. What is pending for the chat is
 * rejected. Asked for twice at once it is done once: a second deletion could hit another chat that has the number then.
 */
export function leaveChat(deps: LeaveDeps, known: KnownChat, departure: Departure): Promise<void> {
  const { leaving } = deps;
  const { chat } = known;
  const running = leaving.get(chat);
  if (running) return running;
  const left = leaveOnce(deps, known, departure).finally(() => {
    if (leaving.get(chat) === left) leaving.delete(chat);
  });
  leaving.set(chat, left);
  return left;
}

async function leaveOnce(deps: LeaveDeps, { chat, info }: KnownChat, departure: Departure): Promise<void> {
  const { core, files, watch, actions, log } = deps;
  const group = info.type === "group" ? info.groupInfo : undefined;
  // Before anything is done: what is written of this chat must not count for the next one of its number.
  await deps.freed.add(info);
  const isIn = group !== undefined && (isCurrent(group.membership) || isActive(group.membership));
  if (isIn) await core.leaveGroup(group.groupId).catch(unlessChatGone);
  const failure = await core.deleteChat(chat, { notify: true }).catch((error: unknown) => ({ error }));
  const isGone = !failure || isChatNotFound(failure.error);
  // A group is left whatever becomes of its messages here.
  if (!isGone && !isIn) throw failure.error;
  // From now on the number may be another chat's.
  deps.leaving.delete(chat);
  actions.leftChat(chat, { ...departure, isGone });
  watch.left(chat);
  if (!isGone) log(`${chat} was left, and its chat could not be deleted: ${explain(failure.error)}`);
  await files.left(chat).catch((error: unknown) => {
    log(`The files that owners looked at of ${chat} were not deleted: ${explain(error)}`);
  });
}

function unlessChatGone(error: unknown): void {
  if (!isChatNotFound(error)) throw error;
}
