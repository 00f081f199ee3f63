import type { Mismatch } from "./compare.js";

/** Where the simulated core is not as the recorded one on purpose, or where two recordings would differ too. */

/** Recordings that are not replayed. */
export const NOT_REPLAYED: Record<string, string> = {
  "16-markdown": "its lines are texts, which markdown.test.ts reads",
  "17-names": "its peers' databases were changed by hand, as in names.test.ts",
  "18-limits": "its lines are sizes, which limits.test.ts and the unit test of the sizes try",
};

/** Events that are neither expected nor compared. */
const IGNORED_EVENTS: Record<string, string> = {
  hostConnected: "when a connection to a server is made depends on the transport",
  hostDisconnected: "as hostConnected",
  subscriptionStatus: "the simulated network has no servers to subscribe to",
  connectionsDiff: "the agent's own check of a new database",
  agentRcvQueuesDeleted: "the agent's clean-up after the server confirmed a deletion, whenever that is",
  agentConnsDeleted: "as agentRcvQueuesDeleted; comes again after a retry, its list in no order",
};

/** Events whose place among a user's other events is chance: they wait for servers or other people's apps. */
const FLOATING_EVENTS: Record<string, string> = {
  chatItemsStatusesUpdated: "deliveries and receipts of one message overtake other messages",
};

export interface Place {
  scenario: string;
  line: number;
  who: string;
  /** The type of the answer or event. */
  type: string;
}

interface Allowed {
  reason: string;
  types?: readonly string[];
  notTypes?: readonly string[];
  scenarios?: readonly string[];
  lines?: readonly number[];
  path: RegExp;
  /** What both values are like; an absent key is undefined. */
  values?: (value: unknown) => boolean;
}

/** Values that may differ. */
const ALLOWED: readonly Allowed[] = [
  {
    reason: "how far the delivery of an own message has come when another answer or event shows it",
    notTypes: ["chatItemsStatusesUpdated"],
    path: /\bmeta\.itemStatus\.(type|sndProgress|msgRcptStatus)$/,
    values: (value) =>
      ["sndNew", "sndSent", "sndRcvd", "partial", "complete", "ok", undefined].includes(value as string),
  },
  {
    reason: "a receipt shows the chat and the message as they are when it comes",
    types: ["chatItemsStatusesUpdated"],
    path: /\bchatInfo\.groupInfo\.customData$|\bmeta\.(itemText|itemLive|itemEdited|itemDeleted|deletable|editable)$|\bcontent\.msgContent\.text$|\bchatItem\.(formattedText|mentions\..+)$|\bcontact\.activeConn\.(connStatus\.type|contactConnInitiated|pqRcvEnabled)$/,
  },
  {
    reason: "how far the upload of a file has come, or its end, when the delivery of its message is told",
    types: ["chatItemsStatusesUpdated"],
    path: /\bchatItem\.file\.fileStatus\.(type|sndProgress|sndTotal)$/,
    values: (value) =>
      value === undefined ||
      typeof value === "number" ||
      ["sndStored", "sndTransfer", "sndComplete", "sndCancelled"].includes(value as string),
  },
  {
    reason: "the connection of the two joiners with each other was slower than the owner's next command",
    scenarios: ["20-join-race"],
    lines: [53, 56, 57, 58, 59],
    path: /\b(memberRole|memberStatus|activeConn)$/,
  },
  {
    reason: "the simulated core takes no list of servers as JSON",
    scenarios: ["29-invitation-and-servers"],
    lines: [115],
    path: /\berrorType\.message$/,
  },
  {
    reason: "the core's memory kept the name that its database had refused",
    scenarios: ["23-forward-and-timed"],
    lines: [160, 161, 162],
    path: /^user\.(profile\.displayName|localDisplayName)$/,
  },
  {
    reason: "the simulated core knows the queries that programs use and has no SQL",
    scenarios: ["27-more"],
    lines: [38, 105, 107, 108, 109],
    path: /^(answer|error)\b/,
  },
  {
    reason: "the size probes, which are not replayed here, left messages in the support chat",
    scenarios: ["27-more"],
    path: /\bsupportChat$/,
  },
  {
    reason: "figures of the agent's queues",
    scenarios: ["27-more"],
    lines: [119, 121],
    path: /\bconnectionStats_\./,
  },
  {
    reason: "the process was killed after the server had the message and before the database knew",
    scenarios: ["26-restart"],
    types: ["chatItemsStatusesUpdated", "sndFileError"],
    path: /\bmeta\.sentViaProxy$/,
  },
  {
    reason: "the number of the socket",
    types: ["error"],
    path: /\.networkError\.connectError$/,
    values: (value) => /^Network\.Socket\.connect: <socket: \d+>: /.test(String(value)),
  },
  {
    reason: "the queue is asked right after a send, when the first delivery may be through already",
    scenarios: ["24-delivery-and-database"],
    lines: [52, 58],
    path: /\.rows\[1\]$/,
  },
  {
    reason: "a joiner hears of the members in an order that is chance",
    scenarios: ["34-member-contacts", "35-reactions-edits-deletions"],
    path: /\bindexInGroup$/,
  },
  {
    reason: "how far two members' own connection has come when a host passes on what one of them did",
    scenarios: ["35-reactions-edits-deletions"],
    lines: [252, 253, 254, 255, 256, 257, 258, 268],
    path: /\bgroupMember\.activeConn\.connStatus\.type$/,
  },
  {
    reason: "the pictures of the preset contacts and relays are large",
    types: ["apiChats", "userServers"],
    path: /\bchatInfo\.contact\.profile\.image$|\brelayProfile\.image$/,
    values: (value) => String(value).startsWith("data:image/"),
  },
];

/** Events of the simulated run that the recording ended too early for, or that something overtook. */
const UNRECORDED: readonly { reason: string; scenario: string; who: string; event: RegExp }[] = [
  {
    reason: "Bob had left before the receipts of his last message came",
    scenario: "12-owners",
    who: "Bob",
    event: /^chatItemsStatusesUpdated sndMsgContent:sndRcvd\w+:\/approve 9$/,
  },
  {
    reason: "the message with ttl=0 was gone before the server had it",
    scenario: "23-forward-and-timed",
    who: "agent",
    event: /^chatItemsStatusesUpdated sndMsgContent:sndSentcomplete:ttl ttl=0$/,
  },
  ...["agent", "Bob"].map((who) => ({
    reason: "the receipts are among the lines about files",
    scenario: "23-forward-and-timed",
    who,
    event: /^chatItemsStatusesUpdated sndMsgContent:sndRcvdcomplete:from bob$/,
  })),
  {
    reason: "the process was killed with these events in its queue",
    scenario: "26-restart",
    who: "agent",
    event: /^chatItemsStatusesUpdated sndMsgContent:sndSentcomplete:(before kill|burst [123458])$/,
  },
  ...["Bob", "Carol", "Dan", "Eve", "Fay", "Gus", "Ivy", "Jon"].map((who) => ({
    reason: "only the member who acts was recorded",
    scenario: "34-member-contacts",
    who,
    event: /^(newChatItems rcvGroupEvent:rcvRead:left|leftMember (Hal|My Agent)\/left)$/,
  })),
  {
    reason: "of what the others got, only messages and what concerns them were recorded",
    scenario: "35-reactions-edits-deletions",
    who: "Bob",
    event:
      /^(rcvFileDescrReady a\.txt|memberRole |groupUpdated |newChatItems rcvGroup(Event:rcvRead:changed role|Feature:rcvRead:Full deletion))/,
  },
  ...["Bob", "Carol", "Dan"].map((who) => ({
    reason: "the profile without the deleted address reaches them after the recording's end",
    scenario: "28-address-and-direct",
    who,
    event: /^(newChatItems|contactUpdated) $/,
  })),
];

export function isUnrecorded(scenario: string, who: string, event: string): boolean {
  return UNRECORDED.some((one) => one.scenario === scenario && one.who === who && one.event.test(event));
}

export function isIgnored(event: string): boolean {
  return event in IGNORED_EVENTS;
}

export function isFloating(event: string): boolean {
  return event in FLOATING_EVENTS;
}

export function isAllowed(mismatch: Mismatch, place: Place): boolean {
  return ALLOWED.some(
    ({ types, notTypes, scenarios, lines, path, values }) =>
      (types?.includes(place.type) ?? true) &&
      !notTypes?.includes(place.type) &&
      (scenarios?.some((name) => place.scenario.startsWith(name)) ?? true) &&
      (lines?.includes(place.line) ?? true) &&
      path.test(mismatch.path) &&
      (values === undefined || (values(mismatch.recorded) && values(mismatch.simulated))),
  );
}
