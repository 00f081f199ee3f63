import { createHash, timingSafeEqual } from "node:crypto";
import { DELIVERED_PATH } from "./acknowledgement.js";
import { oauthRefusal, type Refusal, rpcRefusal } from "./refusal.js";

/** What is known of a request before its body. */
export interface RequestHead {
  readonly url: string;
  readonly method: string;
  /** Each header with all its values, names in lower case: `headersDistinct` of Node. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

/** What a request is checked against. */
export interface Expected {
  /** Tells a person how to register the agent again. */
  readonly registerAgain: string;
  readonly port: number;
  readonly tokenDigest: Buffer;
  /** Whether the control chat is started. */
  readonly open: boolean;
}

/** Where a running agent tells about itself; `/mcp` is for all else. */
export const STATUS_PATH = "/status";

const METHODS: Readonly<Record<string, readonly string[]>> = {
  "/mcp": ["GET", "POST", "DELETE"],
  [STATUS_PATH]: ["GET"],
  [DELIVERED_PATH]: ["POST"],
};

/** The checks in their order; undefined when the request may pass. A header that is there twice fails its check. */
export function checkRequest(head: RequestHead, expected: Expected): Refusal | undefined {
  return (
    checkHost(head, expected) ??
    checkOrigin(head, expected) ??
    checkPath(head, expected) ??
    checkToken(head, expected) ??
    checkOpen(head, expected) ??
    checkMethod(head)
  );
}

/** What the stop waits for may still be acknowledged. */
function checkOpen({ url }: RequestHead, { open }: Expected): Refusal | undefined {
  return open || pathOf(url) === DELIVERED_PATH ? undefined : notOpen();
}

/** The answer while the agent starts or stops. */
export function notOpen(): Refusal {
  return rpcRefusal(503, "The agent is not ready. Try again in a second.", {
    "Retry-After": "1",
  });
}

/** SHA-256, so that tokens of any length compare in the same time. */
export function tokenDigest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The names of this listener. A page that points its own name at 127.0.0.1 comes with that name. */
function hosts(port: number): string[] {
  const names = ["127.0.0.1", "localhost", "[::1]"];
  // Clients leave the port out where it is the default of http.
  return names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}

function checkHost({ headers }: RequestHead, { port }: Expected): Refusal | undefined {
  const [host, second] = headers.host ?? [];
  if (host !== undefined && second === undefined && hosts(port).includes(host.toLowerCase()))
    return undefined;
  return rpcRefusal(403, `The Host header is not 127.0.0.1:${port}.`);
}

function checkOrigin({ headers }: RequestHead, { port }: Expected): Refusal | undefined {
  const [origin, second] = headers.origin ?? [];
  if (origin === undefined) return undefined;
  const allowed = hosts(port).map((host) => `http://${host}`);
  if (second === undefined && allowed.includes(origin.toLowerCase())) return undefined;
  return rpcRefusal(403, "Requests of web pages are refused.");
}

/** The path that is asked for, without the query. */
export function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

function checkPath({ url }: RequestHead, { registerAgain }: Expected): Refusal | undefined {
  if (Object.hasOwn(METHODS, pathOf(url))) return undefined;
  return oauthRefusal(
    404,
    "not_found",
    `There is nothing at this path, and there is no OAuth. ${registerAgain}`,
  );
}

function checkToken(
  { headers }: RequestHead,
  { registerAgain, tokenDigest: wanted }: Expected,
): Refusal | undefined {
  const [authorization, second] = headers.authorization ?? [];
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  if (second === undefined && token !== undefined && timingSafeEqual(tokenDigest(token), wanted))
    return undefined;
  const why = authorization === undefined ? "The token is missing." : "The token is not this agent's.";
  return oauthRefusal(401, "invalid_token", `${why} ${registerAgain}`, {
    "WWW-Authenticate": "Bearer",
  });
}

function checkMethod({ method, url }: RequestHead): Refusal | undefined {
  const allowed = METHODS[pathOf(url)] ?? [];
  if (allowed.includes(method)) return undefined;
  return rpcRefusal(405, "Method not allowed.", { Allow: allowed.join(", ") });
}
