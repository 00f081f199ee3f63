import { z } from "zod";
import type { InviteFields } from "../actions/action.js";
import type { Work } from "../actions/actions.js";
import { actionOfCall, actionResult, delivering, earlierAction, undone } from "./call/action-call.js";
import type { AgentDeps } from "./call/agent.js";
import { ActionFieldsOut, validText } from "./call/schemas.js";
import { isBlank } from "./call/text.js";
import type { Tool } from "./call/tool.js";

const Input = z.strictObject({
  kind: z
    .enum(["one-time", "address"])
    .describe(
      "one-time: a link for one person, taken as soon as somebody's app looks it up. address: a lasting link by which people ask to connect; an owner decides about each.",
    ),
  purpose: z.string().max(200).optional().describe("What it is for, in a few words for your owner."),
});

const Output = z.object({
  ...ActionFieldsOut,
  link: z.string().optional().describe("Pass it on by send; in files and other texts it works as well."),
});

export const invite: Tool<typeof Input, typeof Output> = {
  name: "invite",
  title: "Invite",
  description:
    "Makes a link by which others can connect to you: one for one person, or your address. Where an address is there already it is returned at once. Calling again with the same kind and purpose resumes a lost call.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  outward: true,

  async run(deps, input, call) {
    const fields = fieldsOf(input);
    const key = JSON.stringify(["invite", fields.kind, fields.purpose ?? null]);
    const found = (await earlierAction(deps, key))?.work;
    if (!found && fields.kind === "address") {
      const address = await deps.links.address();
      if (address) return { result: { status: "known", link: address.link } };
    }
    const work = found instanceof InviteWork ? found : new InviteWork(deps, fields);
    const { tool: _, ...asked } = fields;
    const action = await actionOfCall(
      deps,
      {
        key,
        fields: work.fields,
        input: asked,
        work,
        ...(deps.mode === "host" ? { preapproval: async () => ({ kind: "host" as const }) } : {}),
      },
      call,
    );
    if (!action) return undefined;
    const done = action.work;
    if (action.state.state !== "done" || !(done instanceof InviteWork)) return undone(deps, action, call, {});
    const { link } = done;
    return delivering(deps, action, call, {
      result: { ...actionResult(action), ...(link === undefined ? {} : { link }) },
    });
  },
};

function fieldsOf({ kind, purpose }: z.output<typeof Input>): InviteFields {
  const isThere = purpose !== undefined && !isBlank(purpose);
  return { tool: "invite", kind, ...(isThere ? { purpose: validText(purpose, "purpose") } : {}) };
}

class InviteWork implements Work {
  link: string | undefined;
  readonly #deps: AgentDeps;

  constructor(
    deps: AgentDeps,
    readonly fields: InviteFields,
  ) {
    this.#deps = deps;
  }

  async perform({ stop }: { stop: AbortSignal }): Promise<void> {
    const { links } = this.#deps;
    if (stop.aborted) throw new Error("The server is stopping.");
    this.link =
      this.fields.kind === "address" ? (await links.makeAddress()).link : await links.makeOneTimeLink();
  }

  dispose(): void {}
}
