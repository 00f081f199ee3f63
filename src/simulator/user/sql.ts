import type { CoreJson } from "../../core/api/chat-api.js";
import { storeError } from "../data/errors.js";
import type { User } from "./user.js";

type Answer = (user: User, args: RegExpExecArray) => string[];

const COUNT = "count(1)";

/** The queries that programs use; the simulator has no SQL. */
const QUERIES: ReadonlyArray<readonly [database: "chat" | "agent", form: RegExp, answer: Answer]> = [
  [
    "agent",
    /^SELECT count\(1\) FROM snd_message_deliveries(?: WHERE failed = 0(?: AND conn_id IN \(([^)]*)\))?)?$/i,
    (user, [, conns]) => [COUNT, String(queued(user, conns).length)],
  ],
  [
    "agent",
    /^SELECT count\(1\), sum\(failed\) FROM snd_message_deliveries$/i,
    (user) => {
      const count = queued(user, undefined).length;
      return [`${COUNT}|sum(failed)`, `${count}|${count === 0 ? "" : 0}`];
    },
  ],
  [
    "agent",
    /^SELECT hex\(conn_id\) FROM connections(?: LIMIT (\d+))?$/i,
    (user, [, limit]) => [
      "hex(conn_id)",
      ...connIds(user, limit).map((id) => Buffer.from(id).toString("hex").toUpperCase()),
    ],
  ],
  [
    "chat",
    /^SELECT count\(1\) FROM .*group_snd_item_statuses.*group_id = (\d+).*group_snd_item_status (?:= 'snd_new'|LIKE 'snd_new%')$/i,
    (user, [, groupId]) => [COUNT, String(undelivered(user, `#${groupId}`))],
  ],
  [
    "chat",
    /^SELECT (hex\()?agent_conn_id\)? FROM connections(?: LIMIT (\d+))?$/i,
    (user, [, hex, limit]) => {
      const rows = connIds(user, limit);
      if (!hex) return ["agent_conn_id", ...rows];
      return ["hex(agent_conn_id)", ...rows.map((id) => Buffer.from(id).toString("hex").toUpperCase())];
    },
  ],
  [
    "chat",
    /^SELECT hex\(c\.agent_conn_id\) AS (\w+) FROM connections c JOIN group_members m ON .* m\.group_id = (\d+) AND m\.member_status IN \(([^)]*)\)$/i,
    (user, [, name, groupId, statuses]) => {
      const wanted = (statuses ?? "").split(",").map((status) => status.trim().replaceAll("'", ""));
      const members = [...user.db.membersOf(Number(groupId)).values()];
      const conns = members.flatMap((member) => {
        const conn = user.db.conns.get(member.connId);
        return conn && wanted.includes(member.memberStatus) ? [conn.agentConnId] : [];
      });
      return [name ?? "", ...conns.map((id) => Buffer.from(raw(id)).toString("hex").toUpperCase())];
    },
  ],
];

function connIds(user: User, limit: string | undefined): string[] {
  const ids = [...user.db.conns.values()].map(({ agentConnId }) => raw(agentConnId));
  return ids.slice(0, limit === undefined ? ids.length : Number(limit));
}

/** The agent's connection id, which the JSON has encoded once more. */
const raw = (agentConnId: string): string => Buffer.from(agentConnId, "base64").toString();

/** Messages queued for the servers, of all connections or of these. */
function queued(user: User, conns: string | undefined): string[] {
  const ids = conns?.split(",").map((id) => Buffer.from(id.replace(/^\s*x'|'\s*$/g, ""), "hex").toString());
  const envelopes = user.db.outbox.values().filter(({ from }) => !ids || ids.includes(raw(from)));
  return envelopes.flatMap(({ from, messages }) => messages.map(() => from));
}

function undelivered(user: User, chat: string): number {
  let count = 0;
  for (const { itemId } of user.db.chat(chat).order) {
    const { deliveries } = user.db.items.at(itemId);
    for (const { status } of Object.values(deliveries ?? {})) if (status === "new") count++;
  }
  return count;
}

/** `/sql chat`, `/sql agent` */
export function sql(user: User, database: "chat" | "agent", query: string): CoreJson {
  const text = query.replace(/\s+/g, " ").replace(/;$/, "").trim();
  for (const [where, form, answer] of QUERIES) {
    const args = where === database ? form.exec(text) : null;
    if (args) return { type: "sQLResult", rows: answer(user, args) };
  }
  throw storeError("dBException", {
    message: `SQLite3 returned ErrorError while attempting to perform execWithCallback ${JSON.stringify(query)}: not simulated`,
  });
}
