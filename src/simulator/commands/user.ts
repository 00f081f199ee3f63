import { done, setFolder } from "../chats/settings.js";
import { ownAddress } from "../connections/link-data.js";
import { network } from "../connections/network-config.js";
import { setServers, userServers } from "../connections/servers.js";
import { storeError } from "../data/errors.js";
import { parseObject } from "../data/parsed.js";
import { acceptRequest, rejectRequest } from "../meeting/request-answers.js";
import {
  createAddress,
  deleteAddress,
  profileAddress,
  setAddress,
  showAddress,
} from "../people/addresses.js";
import { changeProfile, setProfile } from "../people/profiles.js";
import { activeUser, createUser, start, stop, usersList } from "../people/users.js";
import { sql } from "../user/sql.js";
import { always, type Command, command, early, int, isOn, text, USER } from "./grammar.js";

const ADDRESSES = "(?<addresses>\\S+(?: \\S+)*)";

/** The user, its profile and address, requests, servers, the core. */
export const USER_COMMANDS: readonly Command[] = [
  early("/user", () => activeUser),
  early("/u", () => activeUser),
  always("/users", () => usersList),
  always(
    "/_create user (?<json>.+)",
    ({ json }) =>
      (user) =>
        createUser(user, text(json)),
  ),
  command(`/_profile ${USER} (?<json>.+)`, ({ json }) => {
    const profile = parseObject(text(json));
    return (user) => setProfile(user, profile);
  }),
  always("/version", () => ({ network: { coreVersion } }) => ({
    type: "versionInfo",
    versionInfo: { version: coreVersion, simplexmqVersion: coreVersion, simplexmqCommit: "simulated" },
    chatMigrations: [],
    agentMigrations: [],
  })),
  early(
    "/network(?<args>(?: .*)?)",
    ({ args }) =>
      (user) =>
        network(user, text(args)),
  ),
  early("/_network (?<json>.+)", ({ json }) => {
    const config = parseObject(text(json));
    return (user) => {
      user.session.networkConfig = config;
      return { type: "cmdOk" };
    };
  }),
  always(
    "/_temp_folder (?<path>.+)",
    ({ path }) =>
      (user) =>
        setFolder(user, "temp", text(path)),
  ),
  always(
    "/_files_folder (?<path>.+)",
    ({ path }) =>
      (user) =>
        setFolder(user, "files", text(path)),
  ),
  early("/_start(?: main=(?:on|off))?(?: snd_files=(?:on|off))?", () => start),
  always("/_stop", () => stop),
  command(
    `/smp ${ADDRESSES}`,
    ({ addresses }) =>
      (user) =>
        setServers(user, "smp", text(addresses).split(" ")),
  ),
  command(
    `/xftp ${ADDRESSES}`,
    ({ addresses }) =>
      (user) =>
        setServers(user, "xftp", text(addresses).split(" ")),
  ),
  command(`/_servers ${USER}`, () => userServers),
  always(
    "/sql (?<database>chat|agent) (?<query>.+)",
    ({ database, query }) =>
      (user) =>
        sql(user, database === "chat" ? "chat" : "agent", text(query)),
  ),
  early(`/_get tags ${USER}`, () => (user) => user.answer("chatTags", { userTags: [] })),

  command(`/_address ${USER}`, () => createAddress),
  early(`/_show_address ${USER}`, () => showAddress),
  command(`/_delete_address ${USER}`, () => deleteAddress),
  command(
    `/_profile_address ${USER} (?<on>on|off)`,
    ({ on }) =>
      (user) =>
        profileAddress(user, isOn(on)),
  ),
  command(`/_address_settings ${USER} (?<json>.+)`, ({ json }) => {
    const settings = parseObject(text(json));
    return (user) => setAddress(user, settings);
  }),
  command(
    "/_accept(?: incognito=(?:on|off))? (?<id>\\d+)",
    ({ id }) =>
      (user) =>
        acceptRequest(user, int(id)),
  ),
  command(
    "/_reject (?<id>\\d+)",
    ({ id }) =>
      (user) =>
        rejectRequest(user, int(id)),
  ),
  command(`/_set accept member contacts ${USER} (?<on>on|off)`, ({ on }) => (user) => {
    const answer = done(user);
    if (user.db.user) user.db.user.autoAcceptMemberContacts = isOn(on);
    return answer;
  }),
  command(`/_set domain ${USER} (?<domain>\\S+)`, ({ domain }) => (user) => {
    const address = ownAddress(user);
    if (!address) throw storeError("userContactLinkNotFound");
    return changeProfile(user, (profile) => {
      profile.contactLink = address.link.connShortLink ?? address.link.connFullLink;
      profile.contactDomain = { domain: text(domain) };
    });
  }),
];
