import type { CoreJson } from "../../core/api/chat-api.js";
import type { Json } from "../data/rows.js";

/** One of the plans with its variant. */
export interface Variant {
  readonly type: string;
  readonly contact?: Json;
  readonly [field: string]: unknown;
}

export interface Plan {
  readonly type: "invitationLink" | "contactAddress" | "groupLink" | "error";
  readonly invitationLinkPlan?: Variant;
  readonly contactAddressPlan?: Variant;
  readonly groupLinkPlan?: Variant;
  readonly chatError?: CoreJson;
}

export const contactPlan = (variant: Variant): Plan => ({
  type: "contactAddress",
  contactAddressPlan: variant,
});
export const invitationLinkPlan = (variant: Variant): Plan => ({
  type: "invitationLink",
  invitationLinkPlan: variant,
});
export const groupPlan = (variant: Variant): Plan => ({ type: "groupLink", groupLinkPlan: variant });
