import { type Answer, type Fields, isFields, type Request } from "./json-rpc.js";

/**
 * The bridge speaks 2026-07-28 with the listener, whatever its client speaks: there each request stands alone, so that
 * nothing is lost with a session when the agent starts again.
 */
export const MODERN = "2026-07-28";

/** The eras before it, the newest first. */
export const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const;

const PREFIX = "io.modelcontextprotocol/";
const VERSION_KEY = `${PREFIX}protocolVersion`;
export const SERVER_INFO_KEY = `${PREFIX}serverInfo`;
export const SUBSCRIPTION_KEY = `${PREFIX}subscriptionId`;

/** The version that a request of the modern era names with each request; undefined for one of the eras before. */
export function claimedVersion({ params }: Request): string | undefined {
  const meta = metaOf(params);
  return VERSION_KEY in meta ? String(meta[VERSION_KEY]) : undefined;
}

/** The same request in the modern era. `version`: of the bridge, which asks. */
export function modernRequest(request: Request, version: string): Request {
  if (claimedVersion(request) !== undefined) return request;
  const envelope = {
    [VERSION_KEY]: MODERN,
    [`${PREFIX}clientInfo`]: { name: "simplex-mcp bridge", version },
    [`${PREFIX}clientCapabilities`]: {},
  };
  const { params } = request;
  return { ...request, params: { ...params, _meta: { ...metaOf(params), ...envelope } } };
}

/** The answer without what only the modern era has in it. */
export function legacyAnswer(answer: Answer): Answer {
  if (!isFields(answer.result)) return answer;
  const { resultType, ttlMs, cacheScope, _meta, ...rest } = answer.result;
  const meta = Object.entries(isFields(_meta) ? _meta : {}).filter(([key]) => key !== SERVER_INFO_KEY);
  return { ...answer, result: { ...rest, ...(meta.length > 0 && { _meta: Object.fromEntries(meta) }) } };
}

/** Which parameter the header `Mcp-Name` repeats. */
const NAMED = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/** The headers by which the listener knows a modern request before it has read it. */
export function modernHeaders(request: Request): Record<string, string> {
  const { method, params = {} } = request;
  const name = params[NAMED.get(method) ?? ""];
  return {
    "Mcp-Protocol-Version": headerValue(claimedVersion(request) ?? MODERN),
    "Mcp-Method": headerValue(method),
    ...(typeof name === "string" && { "Mcp-Name": headerValue(name) }),
  };
}

/** What a header cannot hold as it is travels in base64. */
function headerValue(text: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

function metaOf(params: Fields | undefined): Fields {
  return isFields(params?._meta) ? params._meta : {};
}
