import { contactsList, getChats, groupMembers, groupsList } from "../chats/lists.js";
import {
  clearChat,
  contentTypes,
  getChat,
  itemInfo,
  markChat,
  parsePagination,
  readChat,
  readItems,
} from "../chats/reading.js";
import {
  connectionStats,
  setAlias,
  setContactPreferences,
  setCustom,
  setSettings,
} from "../chats/settings.js";
import { storeError } from "../data/errors.js";
import { parseObject } from "../data/parsed.js";
import { group as groupRow } from "../groups/group-rows.js";
import { deleteGroup } from "../groups/groups.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { contactJson } from "../json/json.js";
import { type DeleteChatMode, deleteContact, deletePending } from "../people/contact-deletion.js";
import { parseRef, REF } from "../user/refs.js";
import { type Command, command, early, IDS, int, ints, isOn, ONOFF, text, USER } from "./grammar.js";

/** Lists, reading, and what belongs to a chat as such. */
export const CHAT_COMMANDS: readonly Command[] = [
  command(`/_contacts ${USER}`, () => contactsList),
  command(
    `/_groups ${USER}(?: @\\d+)?(?: (?<search>.+))?`,
    ({ search }) =>
      (user) =>
        groupsList(user, text(search)),
  ),
  command(
    "/_members #(?<group>\\d+)",
    ({ group }) =>
      (user) =>
        groupMembers(user, int(group)),
  ),
  early(
    `/_get chats ${USER}(?: pcc=(?<pcc>${ONOFF}))?(?: (?<page>(?:(?:after|before)=\\S+ )?count=\\d+))?(?: (?<query>\\{.*))?`,
    ({ pcc, page, query }) =>
      (user) =>
        getChats(user, isOn(pcc), text(page), text(query)),
  ),
  command(
    `/_get chat (?<ref>${REF})(?: content=(?<content>\\w+))? (?<page>(?:(?:after|before|around)=\\d+ )?count=\\d+|initial=\\d+)(?: search=(?<search>.*))?`,
    ({ ref, content, page, search }) => {
      const chat = parseRef(text(ref));
      const pagination = parsePagination(text(page));
      const filters = { ...(search && { search }), ...(content !== undefined && { content }) };
      return (user) => getChat(user, chat, { pagination, ...filters });
    },
  ),
  command(
    `/_get item info (?<ref>${REF}) (?<item>\\d+)`,
    ({ ref, item }) =>
      (user) =>
        itemInfo(user, parseRef(text(ref)), int(item)),
  ),
  command(
    `/_get content types (?<ref>${REF})`,
    ({ ref }) =>
      (user) =>
        contentTypes(user, parseRef(text(ref))),
  ),
  command(
    `/_read chat items (?<ref>${REF}) ${IDS}`,
    ({ ref, ids }) =>
      (user) =>
        readItems(user, parseRef(text(ref)), ints(ids)),
  ),
  command(
    `/_read chat (?<ref>${REF})`,
    ({ ref }) =>
      (user) =>
        readChat(user, parseRef(text(ref))),
  ),
  command(
    `/_unread chat (?<ref>${REF}) (?<on>on|off)`,
    ({ ref, on }) =>
      (user) =>
        markChat(user, parseRef(text(ref)), isOn(on)),
  ),
  command(
    `/_clear chat (?<ref>${REF})`,
    ({ ref }) =>
      (user) =>
        clearChat(user, parseRef(text(ref))),
  ),

  command(
    `/_delete @(?<contact>\\d+)(?: (?<mode>full|entity))?(?: notify=(?<notify>${ONOFF}))?`,
    ({ contact, mode, notify }) =>
      (user) =>
        deleteContact(user, int(contact), (mode ?? "full") as DeleteChatMode, isOn(notify, true)),
  ),
  command(
    "/_delete @(?<contact>\\d+) messages",
    ({ contact }) =>
      (user) =>
        deleteContact(user, int(contact), "messages", false),
  ),
  command(
    `/_delete #(?<group>\\d+)(?: (?:full|entity|messages))?(?: notify=(?<notify>${ONOFF}))?`,
    ({ group, notify }) =>
      (user) =>
        deleteGroup(user, int(group), isOn(notify, true)),
  ),
  command(
    `/_delete :(?<conn>\\d+)(?: (?:full|entity))?(?: notify=${ONOFF})?`,
    ({ conn }) =>
      (user) =>
        deletePending(user, int(conn)),
  ),

  command(`/_set custom (?<ref>[@#]\\d+)(?: (?<json>.+))?`, ({ ref, json }) => {
    if (json !== undefined) parseObject(json);
    return (user) => setCustom(user, parseRef(text(ref)), text(json));
  }),
  command(
    "/_settings (?<ref>[@#]\\d+) (?<json>.+)",
    ({ ref, json }) =>
      (user) =>
        setSettings(user, parseRef(text(ref)), text(json)),
  ),
  command(
    "/_set alias (?<ref>[@#:]\\d+)(?: (?<alias>.*))?",
    ({ ref, alias }) =>
      (user) =>
        setAlias(user, parseRef(text(ref)), text(alias)),
  ),
  command(
    "/_set prefs @(?<contact>\\d+) (?<json>.+)",
    ({ contact, json }) =>
      (user) =>
        setContactPreferences(user, int(contact), text(json)),
  ),
  command(
    "/_info #(?<group>\\d+)",
    ({ group }) =>
      (user) =>
        user.answer("groupInfo", { groupInfo: groupJson(user.db, groupRow(user, int(group))) }),
  ),
  command("/_info #(?<group>\\d+) (?<member>\\d+)", ({ group, member }) => (user) => {
    const row = groupRow(user, int(group));
    const found = user.db.membersOf(row.groupId).get(int(member));
    if (!found) throw storeError("groupMemberNotFound", { groupMemberId: int(member) });
    const connected = user.db.conns.get(found.connId) !== undefined;
    return user.answer("groupMemberInfo", {
      groupInfo: groupJson(user.db, row),
      member: memberJson(user.db, found, true),
      ...(connected && { connectionStats_: connectionStats(user) }),
    });
  }),
  command("/_info @(?<contact>\\d+)", ({ contact }) => (user) => {
    const row = user.db.contacts.get(int(contact));
    if (!row) throw storeError("contactNotFound", { contactId: int(contact) });
    const connected = user.db.conns.get(row.connId) !== undefined;
    return user.answer("contactInfo", {
      contact: contactJson(user.db, row),
      ...(connected && { connectionStats_: connectionStats(user) }),
    });
  }),
];
