import type { ChatKind } from "../../actions/action.js";
import { CoreError } from "../../core/errors/errors.js";
import { explain } from "../../core/errors/explain.js";
import type {
  ChatRef,
  ConnectionPlan,
  ConnLink,
  Contact,
  ContactLinkData,
  GroupInfo,
  GroupLinkData,
} from "../../core/types.js";
import { contactKind, groupKind } from "../../messages/chats.js";

/** How the agent gets into a chat. Links and link data are given back to the core as they came. */
export type Way =
  /** A chat that exists; connected or about to be. */
  | { way: "known"; chat: ChatRef }
  /** Prepared before, and never started. */
  | { way: "prepared"; chat: ChatRef }
  | { way: "prepare contact"; link: ConnLink; data: unknown; domain?: string; business: boolean }
  | { way: "prepare channel"; link: ConnLink; data: unknown; domain?: string }
  | { way: "contact address"; contactId: number }
  | { way: "link"; link: ConnLink };

export interface Target {
  way: Way;
  kind: ChatKind;
  /** As its owner calls it, unfiltered; empty when the link does not tell. */
  name: string;
  /** The link that the target stands for: a name must still stand for it when the action is performed. */
  link: string;
}

/** A target that cannot be connected to; one sentence that says why and what to do. */
export interface Refusal {
  refusal: string;
}

/** What to do about a target, from what the core says of it. */
export function classifyPlan(
  target: string,
  { connLink, plan }: { connLink: ConnLink; plan: ConnectionPlan },
  message: string | undefined,
): Target | Refusal {
  const link = connLink.connShortLink ?? connLink.connFullLink;
  const domain = simplexName(target);
  switch (plan.type) {
    case "invitationLink": {
      const invitation = plan.invitationLinkPlan;
      if (invitation.type === "ok") {
        return newContact(invitation.contactSLinkData_, { connLink, link, message, domain: undefined });
      }
      if (invitation.type === "known") return existingContact(invitation.contact, link);
      if (invitation.type === "connecting") {
        return invitation.contact_
          ? existingContact(invitation.contact_, link)
          : refuse(
              "The agent is connecting by this link already. Call list to see when the contact is there.",
            );
      }
      return invitation.type === "ownLink" ? refuse("This is the agent's own link.") : unknownPlan();
    }
    case "contactAddress": {
      const address = plan.contactAddressPlan;
      switch (address.type) {
        case "ok":
          return newContact(address.contactSLinkData_, { connLink, link, message, domain });
        case "known":
        case "connectingProhibit":
          return existingContact(address.contact, link);
        case "contactViaAddress":
          if (message !== undefined) return takesNoMessage();
          return {
            way: { way: "contact address", contactId: address.contact.contactId },
            ...ofContact(address.contact),
            link,
          };
        case "connectingConfirmReconnect":
          return refuse("The agent asked to connect to this address before and waits for an answer.");
        case "ownLink":
          return refuse("This is the agent's own address.");
        default:
          return unknownPlan();
      }
    }
    case "groupLink": {
      const group = plan.groupLinkPlan;
      switch (group.type) {
        case "ok":
          return newGroup(group.groupSLinkData_, group.groupSLinkInfo_?.direct !== false, {
            connLink,
            link,
            message,
            domain,
          });
        case "known":
        case "ownLink":
          return existingGroup(group.groupInfo, { link, message });
        case "connectingProhibit":
          return group.groupInfo_
            ? existingGroup(group.groupInfo_, { link, message })
            : refuse("The agent is joining by this link already. Call list to see when the group is there.");
        case "connectingConfirmReconnect":
          return refuse("The agent asked to join by this link before and waits for an answer.");
        case "noRelays":
          return refuse("This channel has no relays that work now. Try again later.");
        case "updateRequired":
          return refuse("This channel needs a newer SimpleX version than this server has.");
        default:
          return unknownPlan();
      }
    }
    case "error":
      return refuse(explain(CoreError.ofPlan(plan.chatError)));
    default:
      return unknownPlan();
  }
}

interface NewLink {
  connLink: ConnLink;
  link: string;
  message: string | undefined;
  domain: string | undefined;
}

/** A prepared contact can carry the name it was found by and a message with the request; a plain one neither. */
function newContact(
  data: ContactLinkData | undefined,
  { connLink, link, message, domain }: NewLink,
): Target | Refusal {
  if (!data) {
    if (message !== undefined) return takesNoMessage();
    return { way: { way: "link", link: connLink }, kind: "contact", name: "", link };
  }
  const kind: ChatKind = data.business ? "business" : contactKind(data.profile.peerType);
  const named = { kind, name: data.profile.displayName, link };
  if (message === undefined && domain === undefined)
    return { way: { way: "link", link: connLink }, ...named };
  return {
    way: {
      way: "prepare contact",
      link: connLink,
      data: data.json,
      business: data.business,
      ...(domain === undefined ? {} : { domain }),
    },
    ...named,
  };
}

function newGroup(
  data: GroupLinkData | undefined,
  direct: boolean,
  { connLink, link, message, domain }: NewLink,
): Target | Refusal {
  if (message !== undefined) return groupTakesNoMessage();
  const kind: ChatKind = direct ? "group" : "channel";
  const named = { kind, link, name: data?.groupProfile.displayName ?? "" };
  if (direct) return { way: { way: "link", link: connLink }, ...named };
  if (!data) return refuse("This channel's link tells nothing about it. Ask for a new link.");
  return {
    way: {
      way: "prepare channel",
      link: connLink,
      data: data.json,
      ...(domain === undefined ? {} : { domain }),
    },
    ...named,
  };
}

function existingContact(contact: Contact, link: string): Target {
  const chat: ChatRef = `@${contact.contactId}`;
  const started = contact.activeConn !== undefined || contact.preparedContact === undefined;
  return { way: { way: started ? "known" : "prepared", chat }, ...ofContact(contact), link };
}

function existingGroup(
  group: GroupInfo,
  { link, message }: { link: string; message: string | undefined },
): Target | Refusal {
  const chat: ChatRef = `#${group.groupId}`;
  const waits =
    group.membership.memberStatus === "unknown" && group.preparedGroup?.connLinkStartedConnection === false;
  if (waits && message !== undefined && groupKind(group) !== "business") return groupTakesNoMessage();
  return { way: { way: waits ? "prepared" : "known", chat }, ...ofGroup(group), link };
}

function ofContact({ profile }: Contact): { kind: ChatKind; name: string } {
  return { kind: contactKind(profile.peerType), name: profile.displayName };
}

function ofGroup(group: GroupInfo): { kind: ChatKind; name: string } {
  return { kind: groupKind(group), name: group.groupProfile.displayName };
}

/** `@directory.simplex` is the name `directory.simplex`; a link is none. */
function simplexName(target: string): string | undefined {
  return /^[@#]([^\s@#/]+)$/.exec(target)?.[1];
}

function takesNoMessage(): Refusal {
  return refuse("This link takes no message with the request: connect without message, then send one.");
}

function groupTakesNoMessage(): Refusal {
  return refuse("A group takes no message with the request: connect without message.");
}

function unknownPlan(): Refusal {
  return refuse("This server does not know this kind of link. Update it: npx -y @simplex-chat/mcp@latest");
}

function refuse(refusal: string): Refusal {
  return { refusal };
}
