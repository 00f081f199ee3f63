import type { Json } from "../data/rows.js";
import { seconds } from "./group-preferences.js";

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

export interface FeatureItem {
  /** A feature's state, or a preference that changed without changing it. */
  readonly type: "ChatFeature" | "ChatPreference";
  readonly text: string;
  readonly fields: Json;
}

/** The items of all features of a direct chat. */
export const contactFeatureItems = (sides: Sides): FeatureItem[] =>
  SHOWN.map(([feature, name]) => featureItem(feature, name, sides));

/** The items of what the user or the contact changed. */
export function changedFeatureItems(sides: Sides, before: Sides, whose: "own" | "theirs"): FeatureItem[] {
  return SHOWN.flatMap(([feature, name]) => {
    for (const item of [featureItem, preferenceItem]) {
      const now = item(feature, name, sides, whose);
      if (JSON.stringify(item(feature, name, before, whose)) !== JSON.stringify(now)) return [now];
    }
    return [];
  });
}

function featureItem(feature: string, name: string, sides: Sides): FeatureItem {
  const { own, theirs } = preferencesOf(feature, sides);
  const state = enabled(feature, own.allow, theirs.allow);
  const param = feature === "timedMessages" ? contactTimer(sides) : undefined;
  return {
    type: "ChatFeature",
    text: `${name}: ${stateText(feature, state, param)}`,
    fields: { feature, enabled: state, ...(param !== undefined && { param }) },
  };
}

function preferenceItem(feature: string, name: string, sides: Sides, whose: "own" | "theirs"): FeatureItem {
  const { allow, ttl } = preferencesOf(feature, sides)[whose];
  const timer = ttl === undefined ? "" : ` (${seconds(ttl)})`;
  return {
    type: "ChatPreference",
    text: allow === "no" ? `cancelled ${name}` : `offered ${name}${timer}`,
    fields: { feature, allowed: allow, ...(ttl !== undefined && { param: ttl }) },
  };
}

/** The preferences that a contact gets: the user's for it, for all, or the default. */
export function preferencesFor(userPreferences: Json | undefined, forContact: Json): Json {
  return fullPreferences({ ...userPreferences, ...forContact });
}

/** The user's preferences for a contact after it set a timer: they take it over. */
export function withTimerOf(contact: Json | undefined, own: Json | undefined, forContact: Json): Json {
  const ttl = timerIn(contact);
  if (timerIn(forContact) === ttl) return forContact;
  const special = forContact.timedMessages;
  if (!isPreference(special) && timerIn(own) === ttl) return forContact;
  const base = isPreference(special) ? special : fullPreferences(own).timedMessages;
  const { ttl: _, ...kept } = isPreference(base) ? base : { allow: "yes" as const };
  return { ...forContact, timedMessages: { ...kept, ...(ttl !== undefined && { ttl }) } };
}

function timerIn(preferences: Json | undefined): number | undefined {
  const timed = preferences?.timedMessages;
  return isPreference(timed) ? timed.ttl : undefined;
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
