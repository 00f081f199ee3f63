import { seconds } from "./group-preferences.js";
import type { Json } from "./rows.js";

type Allow = "always" | "yes" | "no";

interface Preference {
  readonly allow: Allow;
  readonly ttl?: number;
}

const DEFAULTS: ReadonlyArray<readonly [feature: string, preference: Preference]> = [
  ["timedMessages", { allow: "yes" }],
  ["fullDelete", { allow: "no" }],
  ["reactions", { allow: "yes" }],
  ["voice", { allow: "yes" }],
  ["files", { allow: "always" }],
  ["calls", { allow: "yes" }],
  ["sessions", { allow: "no" }],
];

/** The features that a direct chat shows as items. */
const SHOWN: ReadonlyArray<readonly [feature: string, name: string]> = [
  ["timedMessages", "Disappearing messages"],
  ["fullDelete", "Full deletion"],
  ["reactions", "Message reactions"],
  ["voice", "Voice messages"],
  ["calls", "Audio/video calls"],
];

function isPreference(value: unknown): value is Preference {
  return typeof value === "object" && value !== null && "allow" in value;
}

/** The complete preferences of a user. */
export function fullPreferences(given: Json | undefined): Json {
  const full: Record<string, unknown> = {};
  for (const [feature, preference] of DEFAULTS) full[feature] = given?.[feature] ?? preference;
  full.commands = given?.commands ?? [];
  return full;
}

/** The known preferences in the core's order; undefined when malformed. */
export function parsePreferences(given: unknown): Json | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const parsed: Record<string, unknown> = {};
  const source: Json = { ...given };
  for (const [feature] of DEFAULTS) {
    const preference = source[feature];
    if (preference === undefined) continue;
    if (!isPreference(preference) || !["always", "yes", "no"].includes(preference.allow)) return undefined;
    parsed[feature] = preference;
  }
  if (source.commands !== undefined) parsed.commands = source.commands;
  return parsed;
}

/** Whose preferences meet in a direct chat. */
export interface Sides {
  /** The user's own for all contacts. */
  readonly user: Json | undefined;
  /** The user's for this contact. */
  readonly forContact: Json;
  /** The contact's. */
  readonly contact: Json | undefined;
  /** Connected incognito: the user's preferences count as set for this contact. */
  readonly incognito: boolean;
}

/** Both sides' preferences of each feature, and what is enabled for whom. */
export function mergedPreferences(sides: Sides): Json {
  const merged: Record<string, unknown> = {};
  for (const [feature] of DEFAULTS) merged[feature] = merged1(feature, sides);
  if (sides.contact) merged.commands = sides.contact.commands ?? [];
  return merged;
}

function preferencesOf(
  feature: string,
  sides: Sides,
): { own: Preference; ofContact: boolean; theirs: Preference } {
  const fallback = DEFAULTS.find(([name]) => name === feature)?.[1] ?? { allow: "no" };
  const pick = (value: unknown): Preference | undefined => (isPreference(value) ? value : undefined);
  const special = pick(sides.forContact[feature]);
  return {
    own: special ?? pick(sides.user?.[feature]) ?? fallback,
    ofContact: special !== undefined || sides.incognito,
    theirs: pick(sides.contact?.[feature]) ?? fallback,
  };
}

function merged1(feature: string, sides: Sides): Json {
  const { own, ofContact, theirs } = preferencesOf(feature, sides);
  return {
    enabled: enabled(feature, own.allow, theirs.allow),
    userPreference: { type: ofContact ? "contact" : "user", preference: own },
    contactPreference: theirs,
  };
}

function enabled(feature: string, own: Allow, theirs: Allow): { forUser: boolean; forContact: boolean } {
  const oneSided = feature !== "timedMessages";
  if (own === "always" && theirs === "no") return { forUser: false, forContact: oneSided };
  if (own === "no" && theirs === "always") return { forUser: oneSided, forContact: false };
  const both = own !== "no" && theirs !== "no";
  return { forUser: both, forContact: both };
}

/** Whether the user may use the feature in the chat. */
export function contactFeatureEnabled(feature: string, sides: Sides): boolean {
  const { own, theirs } = preferencesOf(feature, sides);
  return enabled(feature, own.allow, theirs.allow).forUser;
}

/** Seconds after which messages of the chat disappear, when both sides agree to it. */
export function contactTimer(sides: Sides): number | undefined {
  const { own, theirs } = preferencesOf("timedMessages", sides);
  if (!enabled("timedMessages", own.allow, theirs.allow).forUser) return undefined;
  return own.ttl ?? theirs.ttl;
}

/** The feature items of a direct chat: all, or those that `before` shows otherwise. */
export function contactFeatureItems(sides: Sides, before?: Sides): Array<{ text: string; fields: Json }> {
  return SHOWN.flatMap(([feature, name]) => {
    const item = featureItem(feature, name, sides);
    if (before && JSON.stringify(featureItem(feature, name, before)) === JSON.stringify(item)) return [];
    return [item];
  });
}

function featureItem(feature: string, name: string, sides: Sides): { text: string; fields: Json } {
  const { own, theirs } = preferencesOf(feature, sides);
  const state = enabled(feature, own.allow, theirs.allow);
  const param = feature === "timedMessages" ? contactTimer(sides) : undefined;
  return {
    text: `${name}: ${stateText(feature, state, param)}`,
    fields: { feature, enabled: state, ...(param !== undefined && { param }) },
  };
}

function stateText(
  feature: string,
  state: { forUser: boolean; forContact: boolean },
  param: number | undefined,
): string {
  if (state.forUser && state.forContact) {
    if (feature !== "timedMessages") return "enabled";
    return param === undefined ? "allowed" : `enabled (${seconds(param)})`;
  }
  if (state.forUser) return "enabled for you";
  if (state.forContact) return "enabled for contact";
  return "off";
}
