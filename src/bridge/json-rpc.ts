import type { RequestId } from "@modelcontextprotocol/server";

/** A JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** What is passed on is not looked into further: the listener checks it. */
export interface Request {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Fields;
}

export interface Notification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: Fields;
}

export interface Answer {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result?: unknown;
  readonly error?: unknown;
}

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INVALID_REQUEST = -32600;

/** JSON-RPC's first code for errors of a server's own. */
export const SERVER_ERROR = -32000;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

/** The messages in a line of a client: one, or a batch of the older eras. What is no JSON holds none. */
export function messagesIn(line: string): Fields[] {
  try {
    const value: unknown = JSON.parse(line);
    return (Array.isArray(value) ? value : [value]).filter(isFields);
  } catch {
    return [];
  }
}

/** With parameters only where they are such: nothing is read from others. */
export function asRequest({ id, method, params }: Fields): Request | undefined {
  if (!isId(id) || typeof method !== "string") return undefined;
  return { jsonrpc: "2.0", id, method, ...(isFields(params) && { params }) };
}

export function asNotification({ id, method, params }: Fields): Notification | undefined {
  if (id !== undefined || typeof method !== "string") return undefined;
  return { jsonrpc: "2.0", method, ...(isFields(params) && { params }) };
}

export function isAnswerTo(message: Fields, id: RequestId): boolean {
  return message.id === id && !("method" in message) && ("result" in message || "error" in message);
}

export function result(id: RequestId, value: object): Answer {
  return { jsonrpc: "2.0", id, result: value };
}

export function failure(id: RequestId, code: number, message: string, data?: object): Answer {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data && { data }) } };
}
