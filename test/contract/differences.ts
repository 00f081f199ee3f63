import type { Mismatch } from "./compare.js";

/** Where the simulated core is not as the recorded one on purpose, or where two recordings would differ too. */

/** Events that are neither expected nor compared. */
const IGNORED_EVENTS: Record<string, string> = {
  hostConnected: "when a connection to a server is made depends on the transport",
  hostDisconnected: "as hostConnected",
  subscriptionStatus: "the simulated network has no servers to subscribe to",
  connectionsDiff: "the agent's own check of a new database",
};

/** Events whose place among a user's other events is chance: they wait for servers or other people's apps. */
const FLOATING_EVENTS: Record<string, string> = {
  chatItemsStatusesUpdated: "deliveries and receipts of one message overtake other messages",
  agentRcvQueuesDeleted: "the server confirms a deletion when it gets to it",
  agentConnsDeleted: "as agentRcvQueuesDeleted",
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
];

export function isIgnored(event: string): boolean {
  return event in IGNORED_EVENTS;
}

export function isFloating(event: string): boolean {
  return event in FLOATING_EVENTS;
}

export function isAllowed(mismatch: Mismatch, place: Place): boolean {
  return ALLOWED.some(
    ({ types, notTypes, scenarios, path, values }) =>
      (types?.includes(place.type) ?? true) &&
      !notTypes?.includes(place.type) &&
      (scenarios?.some((name) => place.scenario.startsWith(name)) ?? true) &&
      path.test(mismatch.path) &&
      (values === undefined || (values(mismatch.recorded) && values(mismatch.simulated))),
  );
}
