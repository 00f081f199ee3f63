import type { RequestId } from "@modelcontextprotocol/server";

/** The ids of the JSON-RPC requests in the body of a POST: one message, or a batch of the older eras. */
export function requestIds(body: unknown): RequestId[] {
  return records(body).flatMap(({ method, id }) => (typeof method === "string" ? asId(id) : []));
}

/** The ids that the `notifications/cancelled` in the body name. */
export function cancelledIds(body: unknown): RequestId[] {
  return records(body).flatMap(({ method, params }) =>
    method === "notifications/cancelled" && isRecord(params) ? asId(params.requestId) : [],
  );
}

/** `arguments: null` of a tool call counts as left out: the protocol has no such thing, and clients send it. */
export function dropNullArguments(body: unknown): void {
  for (const { method, params } of records(body)) {
    if (method === "tools/call" && isRecord(params) && params.arguments === null) delete params.arguments;
  }
}

function asId(id: unknown): RequestId[] {
  return typeof id === "string" || typeof id === "number" ? [id] : [];
}

function records(body: unknown): Record<string, unknown>[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter(isRecord);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
