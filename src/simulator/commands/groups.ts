import { parseObject } from "../data/parsed.js";
import { createGroupLink, deleteGroupLink, getGroupLink, setGroupLinkRole } from "../groups/group-links.js";
import { createGroup, leaveGroup, setGroupProfile } from "../groups/groups.js";
import { blockMembers, setRole } from "../groups/members.js";
import { removeMembers } from "../groups/removal.js";
import { acceptMember } from "../joining/admission.js";
import { addMember, joinGroup } from "../meeting/invitations.js";
import { type Command, command, IDS, int, ints, isOn, ONOFF, role, text, USER } from "./grammar.js";

const GROUP = "#(?<group>\\d+)";

/** Groups, their links and members. */
export const GROUP_COMMANDS: readonly Command[] = [
  command(`/_group ${USER}(?: incognito=${ONOFF})? (?<json>\\{.+)`, ({ json }) => {
    const profile = parseObject(text(json));
    return (user) => createGroup(user, profile);
  }),
  command(`/_group_profile ${GROUP} (?<json>\\{.+)`, ({ group, json }) => {
    const profile = parseObject(text(json));
    return (user) => setGroupProfile(user, int(group), profile);
  }),
  command(`/_create link ${GROUP}(?: (?<role>\\w+))?`, ({ group, role: name = "member" }) => {
    const acceptRole = role(name);
    return (user) => createGroupLink(user, int(group), acceptRole);
  }),
  command(
    `/_get link ${GROUP}`,
    ({ group }) =>
      (user) =>
        getGroupLink(user, int(group)),
  ),
  command(`/_set link role ${GROUP} (?<role>\\w+)`, ({ group, role: name }) => {
    const acceptRole = role(name);
    return (user) => setGroupLinkRole(user, int(group), acceptRole);
  }),
  command(
    `/_delete link ${GROUP}`,
    ({ group }) =>
      (user) =>
        deleteGroupLink(user, int(group)),
  ),
  command(`/_member role ${GROUP} ${IDS} (?<role>\\w+)`, ({ group, ids, role: name }) => {
    const toRole = role(name);
    return (user) => setRole(user, int(group), ints(ids), toRole);
  }),
  command(
    `/_remove ${GROUP} ${IDS}(?: messages=(?<messages>${ONOFF}))?`,
    ({ group, ids, messages }) =>
      (user) =>
        removeMembers(user, int(group), ints(ids), isOn(messages)),
  ),
  command(`/_accept member ${GROUP} (?<member>\\d+) (?<role>\\w+)`, ({ group, member, role: name }) => {
    const toRole = role(name);
    return (user) => acceptMember(user, int(group), int(member), toRole);
  }),
  command(
    `/_block ${GROUP} ${IDS} blocked=(?<blocked>${ONOFF})`,
    ({ group, ids, blocked }) =>
      (user) =>
        blockMembers(user, int(group), ints(ids), isOn(blocked)),
  ),
  command(
    `/_leave ${GROUP}`,
    ({ group }) =>
      (user) =>
        leaveGroup(user, int(group)),
  ),
  command(`/_add ${GROUP} (?<contact>\\d+) (?<role>\\w+)`, ({ group, contact, role: name }) => {
    const toRole = role(name);
    return (user) => addMember(user, int(group), int(contact), toRole);
  }),
  command(
    `/_join ${GROUP}`,
    ({ group }) =>
      (user) =>
        joinGroup(user, int(group)),
  ),
];
