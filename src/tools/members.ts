import { z } from "zod";
import { isActive, isCurrent } from "../core/limits.js";
import { contactKind } from "../messages/chats.js";
import { readChat } from "./call/known-chat.js";
import { chat } from "./call/schemas.js";
import { type Tool, ToolError } from "./call/tool.js";

const Input = z.strictObject({ chat });

const Output = z.object({
  chat: z.string(),
  members: z.array(
    z.object({
      member: z.number().describe("For mention"),
      name: z.string(),
      kind: z.enum(["member", "bot", "agent"]),
      role: z.string(),
      status: z.enum(["connected", "connecting", "pending"]),
    }),
  ),
});

export const members: Tool<typeof Input, typeof Output> = {
  name: "members",
  title: "Members",
  description: "The members of a group, business or channel chat, without the agent itself.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },

  async run(deps, input) {
    const { info } = await readChat(deps, input.chat);
    if (info.type !== "group") {
      throw new ToolError(
        `${input.chat} is a contact, it has no members. members takes a group, such as #15.`,
      );
    }
    const { members: all } = await deps.core.listMembers(info.groupInfo.groupId);
    const present = all.filter((member) => isCurrent(member) || isActive(member));
    return {
      result: {
        chat: input.chat,
        members: present.map((member) => {
          const kind = contactKind(member.memberProfile.peerType);
          return {
            member: member.groupMemberId,
            name: member.memberProfile.displayName,
            // A member's row mostly lacks the peer type: nobody is called a person for that.
            kind: kind === "contact" ? "member" : kind,
            role: member.memberRole,
            status: !isActive(member) ? "connecting" : isCurrent(member) ? "connected" : "pending",
          };
        }),
      },
    };
  },
};
