import { LEGACY, MODERN, SERVER_INFO_KEY } from "./eras.js";
import { type Answer, type Fields, failure, isFields, type Request } from "./json-rpc.js";
import type { Listing } from "./listing.js";

/** What the bridge says itself, in the words of the listener. */

/** Name, title and version of a server. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

const CAPABILITIES = { tools: { listChanged: true } };

const COMPLETE = { resultType: "complete" };

/** The SDK's code for a version of the protocol that it does not speak. */
const UNSUPPORTED_VERSION = -32022;

/** What `server/discover` answers. */
export function discovered({ instructions }: Listing, info: ServerInfo): object {
  return { supportedVersions: [MODERN], capabilities: CAPABILITIES, instructions, ...cacheable(info) };
}

/** The answer to `initialize`, with what `server/discover` says. */
export function initialized({ params }: Request, discovery: Fields): object {
  const { capabilities, instructions, _meta } = discovery;
  const serverInfo = isFields(_meta) ? _meta[SERVER_INFO_KEY] : undefined;
  const protocolVersion = LEGACY.find((version) => version === params?.protocolVersion) ?? LEGACY[0];
  return { protocolVersion, capabilities, serverInfo, instructions };
}

/** What `tools/list` answers. */
export function listed({ tools }: Listing, info: ServerInfo): object {
  return { tools, ...cacheable(info) };
}

/** The result of a tool that could not be called. */
export function toolError(text: string): object {
  return { content: [{ type: "text", text }], isError: true, ...COMPLETE };
}

export function unsupported({ id }: Request, requested: string): Answer {
  const data = { supported: [MODERN], requested };
  return failure(id, UNSUPPORTED_VERSION, `Unsupported protocol version: ${requested}`, data);
}

function cacheable(info: ServerInfo): object {
  return { ...COMPLETE, ttlMs: 0, cacheScope: "private", _meta: { [SERVER_INFO_KEY]: info } };
}
