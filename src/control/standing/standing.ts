import type { Remainder } from "../../actions/action.js";
import type { CustomData } from "../../core/types.js";
import { CUSTOM_DATA_KEY, ownCustomData } from "../chat/custom-data.js";

/** What a standing approval is for: text messages, or downloads. */
export type StandingKind = "messages" | "files";

/** An owner's word that needs no further one, until its end where it has one. `at`: ISO 8601 UTC. */
export interface StandingApproval extends Remainder {
  by: string;
  byId: number;
  at: string;
}

const KEYS = { messages: CUSTOM_DATA_KEY, files: "simplexMcpFiles" } as const;

/** The approval that a chat's data tells of; whether its giver still approves is another question. */
export function readStanding(data: CustomData | undefined, kind: StandingKind): StandingApproval | undefined {
  const own = ownCustomData(data, KEYS[kind]);
  const { approvedBy: by, approvedById: byId, approvedAt: at, approvedUntil, approvedLeft: left } = own;
  if (typeof by !== "string" || typeof byId !== "number" || typeof at !== "string") return undefined;
  const until = approvedUntil === undefined ? undefined : timeOf(approvedUntil);
  // An end that cannot be read is no reason to go on for ever.
  if (Number.isNaN(until) || (left !== undefined && !isCount(left))) return undefined;
  return {
    by,
    byId,
    at,
    ...(until === undefined ? {} : { until }),
    ...(left === undefined ? {} : { left }),
  };
}

/** The chat's data with these approvals, or without those of which there are none. Other keys stay as they are. */
export function withStanding(
  data: CustomData | undefined,
  approvals: Readonly<Record<StandingKind, StandingApproval | undefined>>,
): CustomData | undefined {
  let next: CustomData = { ...data };
  for (const kind of ["messages", "files"] as const) {
    const { approvedBy, approvedById, approvedAt, approvedUntil, approvedLeft, ...own } = ownCustomData(
      next,
      KEYS[kind],
    );
    const entry = { ...own, ...stored(approvals[kind]) };
    const { [KEYS[kind]]: _, ...others } = next;
    next = Object.keys(entry).length > 0 ? { ...others, [KEYS[kind]]: entry } : others;
  }
  return Object.keys(next).length > 0 ? next : undefined;
}

function stored(approval: StandingApproval | undefined): Record<string, unknown> {
  // One that is used up is none.
  if (!approval || approval.left === 0) return {};
  const { by, byId, at, until, left } = approval;
  return {
    approvedBy: by,
    approvedById: byId,
    approvedAt: at,
    ...(until === undefined ? {} : { approvedUntil: new Date(until).toISOString() }),
    ...(left === undefined ? {} : { approvedLeft: left }),
  };
}

function timeOf(value: unknown): number {
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
