import { Actions } from "../actions/actions.js";
import { Pause } from "../actions/pause.js";
import { ControlChat } from "../control/chat/chat.js";
import { savedPause } from "../control/chat/saved-pause.js";
import { Forward } from "../control/commands/forward.js";
import { Control } from "../control/control.js";
import { FileNotices } from "../control/file-notices.js";
import { MeetingNotices } from "../control/meeting-notices.js";
import { Owners } from "../control/owners/owners.js";
import { FreedNumbers } from "../control/standing/freed-numbers.js";
import { StandingApprovals } from "../control/standing/standing-approvals.js";
import { pictureRoom } from "../control/texts/cards.js";
import { cutToCard } from "../control/texts/cut-message.js";
import { textTooLong } from "../control/texts/size.js";
import type { Core } from "../core/core.js";
import { type ChatEvent, ownContact, type User } from "../core/types.js";
import type { DataPaths } from "../data-folder/paths.js";
import { AgentFiles } from "../files/agent-files.js";
import { HeldAddress } from "../incoming/held-address.js";
import { Incoming } from "../incoming/incoming.js";
import { OwnLinks } from "../incoming/links.js";
import type { ChatNames } from "../messages/chat-names.js";
import { Claims } from "../messages/claims.js";
import { isWaiting } from "../messages/waiting.js";
import { ChatItemsWatch } from "../messages/watch.js";
import { registerHint } from "../terminal/hints.js";
import { ownerLinkLines } from "../terminal/lines.js";
import { sleep } from "../time/clock.js";
import type { AgentDeps } from "../tools/call/agent.js";
import { Background } from "../tools/call/background.js";
import { Connections } from "../tools/call/connections.js";
import { readChat } from "../tools/call/known-chat.js";
import { tellWaitingCalls } from "../tools/call/newcomer.js";
import { leaveChat } from "../tools/leave.js";
import type { ServeOptions, ServeWorld } from "./options.js";

/** The parts of a running agent. */
export interface Parts {
  chat: ControlChat;
  owners: Owners;
  control: Control;
  actions: Actions;
  pause: Pause;
  heldAddress: HeldAddress;
  standing: StandingApprovals;
  incoming: Incoming;
  files: AgentFiles;
  names: ChatNames;
  deps: AgentDeps;
}

export interface PartsOptions {
  core: Core;
  user: User;
  paths: DataPaths;
  options: ServeOptions;
  world: ServeWorld;
  /** The control chat is gone: the server cannot go on. */
  onGone: (reason: string) => void;
  /** Has heard of all chats. */
  names: ChatNames;
}

/** Finds or makes the control chat, and wires the agent's side, the owner's side and the actions to each other. */
export async function makeParts({
  core,
  user,
  paths,
  options,
  world,
  onGone,
  names,
}: PartsOptions): Promise<Parts> {
  const { agent, approve: mode, expireHours } = options;
  const { clock, print, log, program, columns, lateJoinersMs, actionLimits } = world;
  const { displayName } = user.profile;
  const { chat, created } = await ControlChat.open(core, user, {
    displayName,
    reset: options.resetOwners,
    clock,
    log,
  });
  if (created) print(`Agent control chat "${displayName}" created.`);
  names.ignore(chat.ref);
  const own = ownContact(user);
  if (own !== undefined) names.ignore(own);
  const owners = new Owners({
    chat,
    policy: options.owners,
    print,
    log,
    showLink: (link) => ownerLinkLines(link, { displayName, size: options.qrCode, columns }).forEach(print),
    lateJoiners: async () => {
      // A chat that was just made had no link.
      if (created || !lateJoinersMs) return false;
      await sleep(clock, lateJoinersMs);
      return true;
    },
    onReady: () => print(registerHint(agent, options.dataOption, program)),
  });
  await owners.load();
  const notices = new FileNotices({ say: (text) => chat.say(text), clock, log });
  const files = new AgentFiles({
    core,
    userId: user.userId,
    clock,
    paths,
    log,
    onNotSent: (failure) => notices.notSent(failure),
  });
  const control = new Control({
    chat,
    owners,
    files: { kept: (ref) => files.folders.kept(ref), delete: (ref) => files.deleteOf(ref) },
    forward: new Forward({ chat, files, log }),
    names,
    print,
    log,
    onGone,
  });
  const standing = new StandingApprovals({
    core,
    enabled: mode === "requests",
    isApproverSince: (member, time) => owners.isApproverSince(member, time),
    clock,
  });
  const freed = new FreedNumbers(chat.record);
  const pause = new Pause({
    saved: savedPause(chat.record.data),
    save: (paused) => chat.record.save({ paused }),
  });
  const actions = new Actions({
    board: control,
    pause,
    clock,
    firstNumber: chat.nextAction,
    expireHours,
    log,
    ...(actionLimits ? { limits: actionLimits } : {}),
  });
  const watch = new ChatItemsWatch(clock, (ref, info) => ref === chat.ref || isWaiting(info));
  const agentCore = core.through(pause);
  const links = new OwnLinks(agentCore, user);
  const incoming = new Incoming({
    core,
    agentCore,
    user,
    clock,
    actions,
    notices: new MeetingNotices({ say: (text) => chat.say(text), clock }),
    cutToCard: (fields) => cutToCard(fields, textTooLong),
    onAccepted: (ref) => tellWaitingCalls({ core, watch, log }, ref),
    log,
  });
  const heldAddress = new HeldAddress({
    links: links.with(core),
    incoming,
    saved: chat.record.data.heldAddress === true,
    save: (isHeld) => chat.record.save({ heldAddress: isHeld || undefined }),
  });
  const deps: AgentDeps = {
    core: agentCore,
    user,
    clock,
    actions,
    pause,
    watch,
    links,
    claims: new Claims(),
    connections: new Connections(),
    leaving: new Map(),
    background: new Background(),
    standing,
    freed,
    viewer: {
      name: displayName,
      filesFolder: paths.files,
      givenPath: (item) => files.downloads.takenTo(item),
    },
    files,
    pictureRoom: (fields) => pictureRoom(fields, textTooLong),
    report: (text) => control.report(text, () => actions.countCard()),
    tellRefused: (ref, path, why) => notices.refused(ref, path, why),
    controlChat: chat.ref,
    mode,
    holdMs: options.holdSeconds * 1000,
    log,
  };
  return { chat, owners, control, actions, pause, standing, incoming, heldAddress, files, names, deps };
}

/** From now on owners' commands act. */
export function serveOwners(
  { chat, control, deps, pause, standing, incoming, heldAddress }: Parts,
  print: (line: string) => void,
): void {
  const { user, clock, actions, controlChat, mode } = deps;
  // What owners do themselves goes out while the agent is paused, too.
  const { core } = chat;
  control.serve({
    core,
    user,
    clock,
    actions,
    pause,
    standing,
    freed: deps.freed,
    links: deps.links.with(core),
    heldAddress,
    incoming,
    controlChat,
    mode,
    bytesTooLong: textTooLong,
    leave: async (ref, by) =>
      leaveChat({ ...deps, core }, await readChat(deps, ref), { by, reason: "The owner left this chat." }),
    print,
  });
}

/** An event of the core, to all that wait for it: waiting calls first, what an owner's command does comes after. */
export async function handle(
  { deps, files, chat, control, incoming, names }: Parts,
  event: ChatEvent,
): Promise<void> {
  names.hear(event);
  deps.watch.onEvent(event);
  deps.connections.onEvent(event);
  files.onEvent(event);
  incoming.onEvent(event);
  await control.onEvent(event);
  // Somebody may approve now who did not.
  if ("groupInfo" in event && event.groupInfo.groupId === chat.groupId) void incoming.pump();
}
