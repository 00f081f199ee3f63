import type { GroupProfile, Json, Role } from "../data/rows.js";

/** The features of a group that its chat shows as items, in their order, with their names there. */
const SHOWN: ReadonlyArray<readonly [feature: string, name: string]> = [
  ["timedMessages", "Disappearing messages"],
  ["directMessages", "Direct messages"],
  ["fullDelete", "Full deletion"],
  ["reactions", "Message reactions"],
  ["voice", "Voice messages"],
  ["files", "Files and media"],
  ["simplexLinks", "SimpleX links"],
  ["reports", "Member reports"],
  ["history", "Recent history"],
  ["support", "Chat with admins"],
];

const DEFAULTS: ReadonlyArray<readonly [feature: string, preference: Json]> = [
  ["timedMessages", { enable: "off", ttl: 86400 }],
  ["directMessages", { enable: "off" }],
  ["fullDelete", { enable: "off" }],
  ["reactions", { enable: "on" }],
  ["voice", { enable: "on" }],
  ["files", { enable: "on" }],
  ["simplexLinks", { enable: "on" }],
  ["reports", { enable: "on" }],
  ["history", { enable: "off" }],
  ["support", { enable: "on" }],
  ["sessions", { enable: "off" }],
  ["comments", { enable: "off" }],
];

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The preferences of a business's chats with its customers. */
export const BUSINESS_PREFERENCES: Json = {
  timedMessages: { enable: "off" },
  directMessages: { enable: "off" },
  fullDelete: { enable: "on", role: "moderator" },
  reactions: { enable: "on" },
  voice: { enable: "off" },
  files: { enable: "on" },
  simplexLinks: { enable: "on" },
  reports: { enable: "off" },
  history: { enable: "on" },
  support: { enable: "on" },
  sessions: { enable: "on" },
  comments: { enable: "off" },
};

/** What a customer's prepared chat has until the business answers. */
export const PREPARED_BUSINESS_PREFERENCES: Json = {
  timedMessages: { enable: "on" },
  directMessages: { enable: "off" },
  fullDelete: { enable: "off" },
  reactions: { enable: "on" },
  voice: { enable: "on" },
  files: { enable: "on" },
  simplexLinks: { enable: "on" },
  reports: { enable: "off" },
  history: { enable: "on" },
  support: { enable: "on" },
  sessions: { enable: "off" },
  comments: { enable: "off" },
  commands: [],
};

/** The known preferences of a group profile in the core's order; undefined when one of them is malformed. */
export function parseGroupPreferences(given: unknown): Json | undefined {
  if (!isJson(given)) return undefined;
  const parsed: Record<string, unknown> = {};
  for (const [feature] of DEFAULTS) {
    const preference = given[feature];
    if (preference === undefined) continue;
    if (!isJson(preference) || (preference.enable !== "on" && preference.enable !== "off")) return undefined;
    parsed[feature] = preference;
  }
  if (given.commands !== undefined) {
    if (!Array.isArray(given.commands)) return undefined;
    parsed.commands = given.commands;
  }
  return parsed;
}

/** The complete preferences: what is not given has its default. */
export function fullGroupPreferences(profile: GroupProfile): Json {
  const given = profile.groupPreferences ?? {};
  const full: Record<string, unknown> = {};
  for (const [feature, preference] of DEFAULTS) full[feature] = given[feature] ?? preference;
  full.commands = given.commands ?? [];
  return full;
}

function preferenceOf(profile: GroupProfile, feature: string): Json {
  const given = profile.groupPreferences?.[feature];
  if (isJson(given)) return given;
  return DEFAULTS.find(([name]) => name === feature)?.[1] ?? { enable: "off" };
}

/** Whether somebody of this role may use the feature. */
export function groupFeatureAllowed(profile: GroupProfile, feature: string, role: Role): boolean {
  const { enable, role: least } = preferenceOf(profile, feature);
  return enable === "on" && (least === undefined || roleRank(role) >= roleRank(least));
}

/** Seconds after which messages of the group disappear; undefined when they stay. */
export function groupTimer(profile: GroupProfile): number | undefined {
  const { enable, ttl } = preferenceOf(profile, "timedMessages");
  return enable === "on" && typeof ttl === "number" ? ttl : undefined;
}

const ROLES: readonly Role[] = ["relay", "observer", "author", "member", "moderator", "admin", "owner"];

export const isRole = (text: unknown): text is Role => ROLES.some((role) => role === text);

export const roleRank = (role: unknown): number => (isRole(role) ? ROLES.indexOf(role) : -1);

export const featureName = (feature: string): string =>
  SHOWN.find(([name]) => name === feature)?.[1] ?? feature;

/** An item's content without `type`, with its text. */
export interface FeatureContent {
  readonly text: string;
  readonly fields: Json;
}

/** The feature items of a group, of all shown features or of those that differ from `before`. */
export function groupFeatureItems(profile: GroupProfile, before?: GroupProfile): FeatureContent[] {
  return SHOWN.flatMap(([feature, name]) => {
    const preference = preferenceOf(profile, feature);
    if (
      before &&
      JSON.stringify(shown(feature, preferenceOf(before, feature))) ===
        JSON.stringify(shown(feature, preference))
    ) {
      return [];
    }
    const fields = shown(feature, preference);
    const { param, memberRole_: role } = fields;
    const suffix = typeof param === "number" ? ` (${seconds(param)})` : "";
    const forRole = typeof role === "string" ? ` for ${role}s` : "";
    return [{ text: `${name}: ${preference.enable}${suffix}${forRole}`, fields }];
  });
}

function shown(feature: string, { enable, role, ttl }: Json): Json {
  const param = feature === "timedMessages" && enable === "on" ? ttl : undefined;
  return {
    groupFeature: feature,
    preference: { enable },
    ...(param !== undefined && { param }),
    ...(role !== undefined && enable === "on" && { memberRole_: role }),
  };
}

/** A duration as the core's feature items have it. */
export function seconds(ttl: number): string {
  const units: ReadonlyArray<readonly [name: string, length: number]> = [
    ["week", 604800],
    ["day", 86400],
    ["hour", 3600],
    ["min", 60],
  ];
  for (const [name, length] of units) {
    if (ttl >= length && ttl % length === 0) {
      const count = ttl / length;
      return `${count} ${name}${name !== "min" && count > 1 ? "s" : ""}`;
    }
  }
  return `${ttl} sec`;
}
