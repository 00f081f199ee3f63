/** What the server says in the control chat of links to the agent, and of people who come by them. */
import type { ChatRef } from "../../actions/action.js";
import { count } from "../../text/format.js";
import { displayName } from "../../text/literal.js";

const ASKED = "Whoever has it can ask to connect; I ask you about each. /'address auto' or /'address off'";
const LET_IN = "Whoever has my address is connected without asking. /'address ask' or /'address off'";

/** Links are the server's own: they stand as they are, so that the apps show them as links. */
export const meetingTexts = {
  address: (link: string, isAuto: boolean) => `My address: ${link}\n${isAuto ? LET_IN : ASKED}`,
  addressIsAuto: LET_IN,
  addressDeleted: "My address is deleted. Contacts stay; a new one will be another link.",
  noAddress: "I have no address. /address makes one.",
  oneTimeLink: (link: string) =>
    `One-time link, for one person: ${link}\n/'invite off' deletes the unused ones.`,
  linksDeleted: (amount: number) =>
    amount === 0 ? "No unused links." : `Deleted ${count(amount, "unused link")}.`,
  noRequests: "No requests.",
  /** All that wait have cards already. */
  allAsked: "Each request that waits has its card. /pending",
  /** So many have no card. */
  waiting: (amount: number, { more }: { more: boolean }) =>
    `${count(amount, more ? "more request" : "request")} ${amount === 1 ? "waits" : "wait"}. /'requests'`,
  connected: (name: string, chat: ChatRef, by: "link" | "address") =>
    `${displayName(name)} is connected to me by ${by === "link" ? "a one-time link" : "my address"}: contact ${chat}.`,
  /** People who came faster than each is told of. */
  othersConnected: (amount: number) =>
    `${count(amount, "more person", "more people")} ${amount === 1 ? "is" : "are"} connected to me. /list`,
} as const;
