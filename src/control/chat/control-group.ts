import type { Core } from "../../core/core.js";
import { isCurrent } from "../../core/limits.js";
import type { GroupInfo, User } from "../../core/types.js";
import { CUSTOM_DATA_KEY, ownCustomData } from "./custom-data.js";

/** The server cannot run with the control chat as it is; the message says what to do. */
export class ControlChatError extends Error {
  override name = "ControlChatError";
}

export const CONTROL_CHAT_GONE =
  "The agent control chat was deleted, or the agent was removed from it. Start again with --reset-owners to make a new one.";

/** Commands in the group profile: only with them do the apps make commands in messages tappable. */
const MENU = [
  { type: "command", keyword: "pending", label: "Pending actions" },
  { type: "command", keyword: "list", label: "Chats" },
  { type: "command", keyword: "leave", label: "Leave a chat", params: "<chat>" },
  { type: "command", keyword: "requests", label: "Who asks to connect" },
  { type: "command", keyword: "address", label: "My address" },
  { type: "command", keyword: "invite", label: "A link for one person" },
];

/** The group of the agent and its owners: the one that is marked so, or a new one where there is none or `reset`. */
export async function controlGroup(
  core: Core,
  user: User,
  { displayName, reset }: { displayName: string; reset: boolean },
): Promise<{ group: GroupInfo; created: boolean }> {
  const groups = (await core.listGroups(user.userId)).toSorted((one, other) => one.groupId - other.groupId);
  const marked = groups.filter((group) => ownCustomData(group.customData).control === true);
  const found = marked.findLast((group) => isCurrent(group.membership));
  if (marked.length > 0 && !found && !reset) throw new ControlChatError(CONTROL_CHAT_GONE);
  const unfinished = groups.filter(isUnfinished);
  const group = found && !reset ? found : await make(core, user, displayName, { unfinished, marked });
  // Those of earlier starts, also where a crash came between a new chat and the end of the old one.
  for (const other of [...marked, ...unfinished]) {
    if (other.groupId !== group.groupId) await discard(core, other);
  }
  if (group === found) await renewMenu(core, group);
  return { group, created: group !== found };
}

/** A chat of an earlier version offers what this one can do. Not at any price: all of it can be written, too. */
async function renewMenu(core: Core, { groupId, groupProfile, membership }: GroupInfo): Promise<void> {
  const { groupPreferences } = groupProfile;
  if (membership.memberRole !== "owner" || keywords(groupPreferences?.commands) === keywords(MENU)) return;
  const renewed = { ...groupProfile, groupPreferences: { ...groupPreferences, commands: MENU } };
  await core.updateGroupProfile(groupId, renewed).catch(() => undefined);
}

/** The words of a menu, in their order; its keys come in any. */
function keywords(commands: unknown): string {
  const words = Array.isArray(commands) ? commands.map((command) => Object(command).keyword) : [];
  return words.map(String).join(" ");
}

/** The number of the next action, where the group tells it. */
export function savedNumber({ customData }: GroupInfo): number | undefined {
  const { nextAction } = ownCustomData(customData);
  return typeof nextAction === "number" && Number.isSafeInteger(nextAction) && nextAction >= 1
    ? nextAction
    : undefined;
}

/** Marked before the old ones go, so that the numbers, and what else is remembered, go on whatever comes between. */
async function make(
  core: Core,
  user: User,
  displayName: string,
  { unfinished, marked }: { unfinished: readonly GroupInfo[]; marked: readonly GroupInfo[] },
): Promise<GroupInfo> {
  const profile = {
    displayName,
    fullName: "",
    groupPreferences: { history: { enable: "on" }, directMessages: { enable: "on" }, commands: MENU },
  };
  const group = unfinished[0] ?? (await core.newGroup(user.userId, profile));
  const nextAction = Math.max(1, ...marked.map((old) => savedNumber(old) ?? 1));
  const remembered = Object.assign({}, ...marked.map((old) => ownCustomData(old.customData)));
  const customData = { [CUSTOM_DATA_KEY]: { ...remembered, control: true, nextAction } };
  await core.setCustomData(`#${group.groupId}`, customData);
  return { ...group, customData };
}

/** A control chat that a crash left without its mark. */
function isUnfinished({ membership, customData, groupProfile }: GroupInfo): boolean {
  const { groupPreferences: { commands } = {} } = groupProfile;
  return (
    membership.memberStatus === "creator" &&
    customData === undefined &&
    JSON.stringify(commands) === JSON.stringify(MENU)
  );
}

/** Deletes a former control chat, for all its members where the agent is still an owner of it. */
async function discard(core: Core, { groupId, membership }: GroupInfo): Promise<void> {
  if (isCurrent(membership) && membership.memberRole !== "owner") await core.leaveGroup(groupId);
  await core.deleteChat(`#${groupId}`, { notify: true });
}
