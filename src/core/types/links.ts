import { z } from "zod";
import { GroupInfo } from "./groups.js";
import { openUnion } from "./open-union.js";
import { Contact, Profile } from "./people.js";
import { text } from "./tolerant.js";

/** Data published with a link; `json` is all of it as it came, for `/_prepare`. */
function linkData<Shape extends z.ZodRawShape>(shape: Shape) {
  const read = z.object(shape);
  return z.unknown().transform((json, context) => {
    const data = read.safeParse(json);
    if (data.success) return { ...data.data, json };
    for (const issue of data.error.issues) context.addIssue({ ...issue, code: "custom" });
    return z.NEVER;
  });
}

export const ContactLinkData = linkData({ profile: Profile, business: z.boolean().catch(false) });
export type ContactLinkData = z.infer<typeof ContactLinkData>;

export const GroupLinkData = linkData({
  groupProfile: z.object({ displayName: text, fullName: text }).catch({ displayName: "", fullName: "" }),
});
export type GroupLinkData = z.infer<typeof GroupLinkData>;

const Nothing = <Type extends string>(type: Type) => z.object({ type: z.literal(type) });

export const InvitationLinkPlan = openUnion(
  z.object({ type: z.literal("ok"), contactSLinkData_: ContactLinkData.optional().catch(undefined) }),
  Nothing("ownLink"),
  z.object({ type: z.literal("connecting"), contact_: Contact.optional() }),
  z.object({ type: z.literal("known"), contact: Contact }),
);
export type InvitationLinkPlan = z.infer<typeof InvitationLinkPlan>;

export const ContactAddressPlan = openUnion(
  z.object({ type: z.literal("ok"), contactSLinkData_: ContactLinkData.optional().catch(undefined) }),
  Nothing("ownLink"),
  Nothing("connectingConfirmReconnect"),
  z.object({ type: z.literal("connectingProhibit"), contact: Contact }),
  z.object({ type: z.literal("known"), contact: Contact }),
  z.object({ type: z.literal("contactViaAddress"), contact: Contact }),
);
export type ContactAddressPlan = z.infer<typeof ContactAddressPlan>;

export const GroupLinkPlan = openUnion(
  z.object({
    type: z.literal("ok"),
    /** `direct: false` is a channel over relays. */
    groupSLinkInfo_: z.object({ direct: z.boolean() }).optional(),
    groupSLinkData_: GroupLinkData.optional().catch(undefined),
  }),
  z.object({ type: z.literal("ownLink"), groupInfo: GroupInfo }),
  Nothing("connectingConfirmReconnect"),
  z.object({ type: z.literal("connectingProhibit"), groupInfo_: GroupInfo.optional() }),
  z.object({ type: z.literal("known"), groupInfo: GroupInfo }),
  z.object({ type: z.literal("noRelays"), groupSLinkData_: GroupLinkData.optional().catch(undefined) }),
  z.object({ type: z.literal("updateRequired"), groupSLinkData_: GroupLinkData.optional().catch(undefined) }),
);
export type GroupLinkPlan = z.infer<typeof GroupLinkPlan>;

/** What a link is, and whether we know it. */
export const ConnectionPlan = openUnion(
  z.object({ type: z.literal("invitationLink"), invitationLinkPlan: InvitationLinkPlan }),
  z.object({ type: z.literal("contactAddress"), contactAddressPlan: ContactAddressPlan }),
  z.object({ type: z.literal("groupLink"), groupLinkPlan: GroupLinkPlan }),
  z.object({ type: z.literal("error"), chatError: z.unknown() }),
);
export type ConnectionPlan = z.infer<typeof ConnectionPlan>;
