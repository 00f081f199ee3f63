import type { Core } from "../../core/core.js";
import type { ChatRef, CustomData } from "../../core/types.js";
import { CUSTOM_DATA_KEY, ownCustomData } from "../chat/custom-data.js";

/** What a standing approval is for: text messages, or downloads. */
export type StandingKind = "messages" | "files";

/** An owner's word that needs no further one. `at`: ISO 8601 UTC. */
export interface StandingApproval {
  by: string;
  byId: number;
  at: string;
}

const KEYS = { messages: CUSTOM_DATA_KEY, files: "simplexMcpFiles" } as const;

/** The approval that a chat's data tells of; whether its giver still approves is another question. */
export function readStanding(data: CustomData | undefined, kind: StandingKind): StandingApproval | undefined {
  const { approvedBy: by, approvedById: byId, approvedAt: at } = ownCustomData(data, KEYS[kind]);
  if (typeof by !== "string" || typeof byId !== "number" || typeof at !== "string") return undefined;
  return { by, byId, at };
}

/** Stores the approval, or with none ends it. Other keys of the chat's data stay as they are. */
export async function writeStanding(
  core: Core,
  chat: ChatRef,
  data: CustomData | undefined,
  kind: StandingKind,
  approval: StandingApproval | undefined,
): Promise<void> {
  const { approvedBy, approvedById, approvedAt, ...own } = ownCustomData(data, KEYS[kind]);
  const entry = approval
    ? { ...own, approvedBy: approval.by, approvedById: approval.byId, approvedAt: approval.at }
    : own;
  const { [KEYS[kind]]: _, ...others } = data ?? {};
  const next = Object.keys(entry).length > 0 ? { ...others, [KEYS[kind]]: entry } : others;
  await core.setCustomData(chat, Object.keys(next).length > 0 ? next : undefined);
}
