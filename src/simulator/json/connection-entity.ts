import type { ConnRow, Json } from "../data/rows.js";
import type { Database } from "../database/database.js";
import { groupJson, memberJson } from "./group-json.js";
import { connJson, contactJson } from "./json.js";

/** A connection with the chat that it belongs to. */
export function connectionEntityJson(db: Database, conn: ConnRow): Json {
  const entityConnection = connJson(db, conn);
  if (conn.connType === "contact") {
    const contact = db.contacts.get(conn.entityId);
    return {
      type: "rcvDirectMsgConnection",
      entityConnection,
      ...(contact && { contact: contactJson(db, contact) }),
    };
  }
  const groupMember = db.members.at(conn.entityId ?? 0);
  const groupInfo = groupJson(db, db.groups.at(groupMember.groupId));
  return {
    type: "rcvGroupMsgConnection",
    entityConnection,
    groupInfo,
    groupMember: memberJson(db, groupMember, true),
  };
}
