import { z } from "zod";
import type { Decision, LeaveFields } from "../actions/action.js";
import type { Work } from "../actions/actions.js";
import { isChatNotFound } from "../core/errors.js";
import { explain } from "../core/explain.js";
import { isActive, isCurrent } from "../core/limits.js";
import { actionOfCall, actionResult, delivering, earlierAction, undone } from "./action-call.js";
import type { AgentDeps } from "./agent.js";
import { type KnownChat, readChat } from "./known-chat.js";
import { ActionFieldsOut, chat } from "./schemas.js";
import type { Tool } from "./tool.js";

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
    await leaveChat(this.#deps, now);
    const by = "by" in decision ? decision.by : undefined;
    this.#deps.actions.leftChat(chat, by, "The agent left this chat.");
  }

  dispose(): void {}
}

/** Leaves the group where the agent is in it, and deletes the chat; the others are told. */
export async function leaveChat(
  { core, files, watch, log }: Pick<AgentDeps, "core" | "files" | "watch" | "log">,
  { chat, info }: KnownChat,
): Promise<void> {
  const group = info.type === "group" ? info.groupInfo : undefined;
  const isIn = group !== undefined && (isCurrent(group.membership) || isActive(group.membership));
  try {
    if (isIn) await core.leaveGroup(group.groupId);
  } catch (error) {
    if (!isChatNotFound(error)) throw error;
  }
  try {
    await core.deleteChat(chat, { notify: true });
  } catch (error) {
    // Gone already, by an owner's command at the same time.
    if (!isChatNotFound(error)) {
      // The group is left whatever becomes of its messages here.
      if (!isIn) throw error;
      log(`${chat} was left, and its chat could not be deleted: ${explain(error)}`);
    }
  }
  watch.left(chat);
  await files.left(chat).catch((error: unknown) => {
    log(`The files that owners looked at of ${chat} were not deleted: ${explain(error)}`);
  });
}
