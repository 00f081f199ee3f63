import type { ServerResponse } from "node:http";
import { sendJson } from "./respond.js";

/** An answer that ends a request before any tool is reached. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body: unknown;
}

/** A refusal in the form of JSON-RPC, as the SDK words its own. */
export function rpcRefusal(
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>,
  code = -32000,
): Refusal {
  return {
    status,
    headers,
    body: { jsonrpc: "2.0", error: { code, message }, id: null },
  };
}

/** A refusal in the form of OAuth: what MCP clients show a person when they are refused or look for OAuth. */
export function oauthRefusal(
  status: number,
  error: string,
  description: string,
  headers?: Readonly<Record<string, string>>,
): Refusal {
  return { status, headers, body: { error, error_description: description } };
}

export function sendRefusal(res: ServerResponse, { status, headers, body }: Refusal): void {
  sendJson(res, status, body, headers);
}

/** The same for a handler of web requests. */
export function refusalResponse(refusal: Refusal): Response {
  return Response.json(refusal.body, {
    status: refusal.status,
    headers: refusal.headers,
  });
}
