import { memberProfile } from "../connections/own-profile.js";
import type { GroupRow, Json, MemberRow } from "../data/rows.js";
import { groupJson, memberJson } from "../json/group-json.js";
import { present } from "../json/json.js";
import { replaceProfile } from "../people/contacts.js";
import type { User } from "../user/user.js";
import { rcvEvent } from "./group-items.js";

/** A member changed its profile: shown before its next message. */
export function onMemberProfile(
  user: User,
  row: GroupRow,
  member: MemberRow,
  wire: { readonly eventId: string; readonly profile: Json },
  at: number,
): void {
  const { db } = user;
  const profile = db.profiles.at(member.profileId);
  const before = memberProfile(profile);
  const { peerType, ...kept } = wire.profile;
  if (JSON.stringify(before) === JSON.stringify(kept)) return;
  const fromMember = memberJson(db, member, true);
  if (member.contactId === undefined) {
    replaceProfile(profile, kept);
    if (before.displayName !== profile.displayName) {
      db.names.release(member.localDisplayName);
      member.localDisplayName = db.names.take(profile.displayName);
    }
  }
  const event = { type: "memberProfileUpdated", fromProfile: before, toProfile: wire.profile };
  // The events show what kind of peer it is; the database does not keep it.
  if (member.contactId === undefined && typeof peerType === "string") profile.peerType = peerType;
  rcvEvent(user, row, member, event, "updated profile", { sharedMsgId: wire.eventId, at });
  emitUpdated(user, row, fromMember, memberJson(db, member, true));
  if (member.contactId === undefined) delete profile.peerType;
}

const emitUpdated = (user: User, row: GroupRow, fromMember: Json, toMember: Json): void =>
  user.emitOf("groupMemberUpdated", { groupInfo: groupJson(user.db, row), fromMember, toMember });

/** The host's profile after we joined: what kind of peer it is shows in the event only. */
export function onHostProfile(user: User, row: GroupRow, host: MemberRow, profile: Json): void {
  const stored = memberProfile(user.db.profiles.at(host.profileId));
  if (JSON.stringify(present({ ...stored })) === JSON.stringify(profile)) return;
  const fromMember = memberJson(user.db, host, true);
  const memberProfileJson = { ...(fromMember.memberProfile as Json), ...profile };
  emitUpdated(user, row, fromMember, { ...fromMember, memberProfile: memberProfileJson });
}
