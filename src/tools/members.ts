import { z } from "zod";
import { isActive, isCurrent } from "../core/limits.js";
import type { GroupMember } from "../core/types.js";
import { contactKind } from "../messages/chats.js";
import { visibleName } from "../text/for-agent.js";
import { readChat } from "./call/known-chat.js";
import { chat, item, limit, validText } from "./call/schemas.js";
import { type Tool, ToolError } from "./call/tool.js";

const Input = z.strictObject({
  chat,
  search: z.string().min(1).max(100).optional().describe("Part of a member's name."),
  limit: limit.describe("The most members to return."),
  after: item.optional().describe("The last member of the page before: gives the members after it."),
});

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
  more: z.number().describe("Members that come after these, or cannot be read."),
});

export const members: Tool<typeof Input, typeof Output> = {
  name: "members",
  title: "Members",
  description: "The members of a group, business or channel chat, without the agent itself.",
  input: Input,
  output: Output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },

  async run(deps, input) {
    if (input.search !== undefined) validText(input.search, "search");
    const { info } = await readChat(deps, input.chat);
    if (info.type !== "group") {
      throw new ToolError(
        `${input.chat} is a contact, it has no members. members takes a group, such as #15.`,
      );
    }
    const { members: all, unreadable } = await deps.core.listMembers(info.groupInfo.groupId);
    const rest = all
      .filter((member) => isPresent(member) && isHit(member, input.search))
      // By number, so that a page goes on where its last member has left meanwhile.
      .sort((one, other) => one.groupMemberId - other.groupMemberId)
      .filter(({ groupMemberId }) => groupMemberId > (input.after ?? 0));
    const page = rest.slice(0, input.limit);
    return {
      result: {
        chat: input.chat,
        members: page.map(viewMember),
        more: rest.length - page.length + unreadable,
      },
    };
  },
};

function isPresent(member: GroupMember): boolean {
  return isCurrent(member) || isActive(member);
}

function isHit({ memberProfile }: GroupMember, search: string | undefined): boolean {
  if (search === undefined) return true;
  const wanted = search.trim().toLowerCase();
  const { displayName } = memberProfile;
  // As it is, or as the agent reads it.
  return [displayName, visibleName(displayName)].some((name) => name.toLowerCase().includes(wanted));
}

function viewMember(member: GroupMember) {
  const kind = contactKind(member.memberProfile.peerType);
  return {
    member: member.groupMemberId,
    name: visibleName(member.memberProfile.displayName),
    // A member's row mostly lacks the peer type: nobody is called a person for that.
    kind: kind === "contact" ? ("member" as const) : kind,
    role: visibleName(member.memberRole),
    status: !isActive(member)
      ? ("connecting" as const)
      : isCurrent(member)
        ? ("connected" as const)
        : ("pending" as const),
  };
}
