import type { CoreJson } from "../../core/api/chat-api.js";
import { connLink } from "../connections/connections.js";
import { parseContent } from "../data/composed.js";
import { chatError, unparsable } from "../data/errors.js";
import { parseJson, parseObject } from "../data/parsed.js";
import { connectGroup, prepareGroup } from "../joining/prepare-group.js";
import { connectContact, connectLink, prepareContact } from "../meeting/connect.js";
import { acceptMemberContact, createMemberContact, inviteMemberContact } from "../meeting/member-contacts.js";
import { createInvitation } from "../meeting/one-time-links.js";
import { connectionPlan, planTarget } from "../meeting/plans.js";
import { connectCard } from "../people/contact-cards.js";
import type { RequestMessage } from "../people/link-requests.js";
import { parseSimplexLink } from "../text/simplex-links.js";
import type { User } from "../user/user.js";
import { type Args, type Command, command, int, isOn, ONOFF, text, USER } from "./grammar.js";

const FULL =
  "(?<full>(?:simplex:/|https://)\\S*/?(?:contact|invitation)/?#\\S+)(?: (?<short>(?:simplex:/|https://)\\S+/?[a-z]#\\S+))?";
const INCOGNITO = `(?: incognito=(?<incognito>${ONOFF}))?`;
const MESSAGE = "(?: text (?<message>.*)| json (?<content>.+))?";

function requestMessage({ message, content }: Args): RequestMessage | undefined {
  if (message !== undefined) return { type: "text", text: message };
  return content === undefined ? undefined : parseContent(parseJson(content));
}

/** `simplex:/...` for every form of a full link. */
function fullLink(link: string | undefined): string {
  const parsed = parseSimplexLink(text(link));
  if (!parsed || parsed.short) throw chatError("invalidConnReq");
  return parsed.simplexUri;
}

const TARGET = "(?<incognito> incognito)?(?: (?<target>\\S+))?";

/** `/connect`: the plan, and the connection when nothing is known of the link; an invitation without a link. */
function connectTarget({ incognito, target }: Args): (user: User) => CoreJson {
  return (user) => {
    if (target === undefined) return createInvitation(user, incognito !== undefined);
    const { link, plan } = planTarget(user, target, false);
    const variant = plan.contactAddressPlan ?? plan.groupLinkPlan ?? plan.invitationLinkPlan;
    if (variant?.type !== "ok")
      return user.answer("connectionPlan", { connLink: link, connectionPlan: plan });
    return connectLink(user, incognito !== undefined, link.connFullLink, link.connShortLink);
  };
}

/** Links, and the chats that are made through them and through members. */
export const CONNECT_COMMANDS: readonly Command[] = [
  command(
    `/_connect plan ${USER} (?<target>\\S+)(?: resolve=(?<resolve>${ONOFF}))?(?: sig=\\{.*\\})?`,
    ({ target, resolve }) =>
      (user) =>
        connectionPlan(user, text(target), isOn(resolve)),
  ),
  command(
    `/_prepare contact ${USER} ${FULL}(?: domain=(?<domain>\\S+))? (?<json>\\{.+)`,
    ({ full, short, domain, json }) => {
      const data = parseObject(text(json));
      if (typeof data.profile !== "object" || typeof data.business !== "boolean") throw unparsable();
      return (user) => prepareContact(user, connLink(fullLink(full), short), domain, data);
    },
  ),
  command(
    `/_prepare group ${USER} ${FULL}(?: direct=${ONOFF})?(?: domain=\\S+)? (?<json>\\{.+)`,
    ({ full, short, json }) => {
      const data = parseObject(text(json));
      return (user) => prepareGroup(user, connLink(fullLink(full), short), data);
    },
  ),
  command(`/_connect contact @(?<contact>\\d+)${INCOGNITO}${MESSAGE}`, (args) => {
    const message = requestMessage(args);
    return (user) => connectContact(user, int(args.contact), isOn(args.incognito), message);
  }),
  command(
    `/_connect contact ${USER}${INCOGNITO} (?<contact>\\d+)`,
    ({ contact, incognito }) =>
      (user) =>
        connectCard(user, int(contact), isOn(incognito)),
  ),
  command(`/_connect group #(?<group>\\d+)${INCOGNITO}${MESSAGE}`, (args) => {
    const message = requestMessage(args);
    return (user) => connectGroup(user, int(args.group), isOn(args.incognito), message);
  }),
  command(
    `/_connect ${USER}${INCOGNITO}`,
    ({ incognito }) =>
      (user) =>
        createInvitation(user, isOn(incognito)),
  ),
  command(
    `/_connect ${USER}${INCOGNITO} ${FULL}`,
    ({ incognito, full, short }) =>
      (user) =>
        connectLink(user, isOn(incognito), fullLink(full), short),
  ),
  command(`/_connect ${USER}${INCOGNITO} \\S+(?: \\S+)?`, () => () => {
    throw chatError("invalidConnReq");
  }),
  command(`/connect${TARGET}`, connectTarget),
  command(`/c${TARGET}`, connectTarget),

  command(
    "/_create member contact #(?<group>\\d+) (?<member>\\d+)",
    ({ group, member }) =>
      (user) =>
        createMemberContact(user, int(group), int(member)),
  ),
  command(`/_invite member contact @(?<contact>\\d+)${MESSAGE}`, (args) => {
    const message = requestMessage(args);
    return (user) => inviteMemberContact(user, int(args.contact), message);
  }),
  command(
    "/_accept member contact @(?<contact>\\d+)",
    ({ contact }) =>
      (user) =>
        acceptMemberContact(user, int(contact)),
  ),
];
