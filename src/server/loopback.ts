/** How programs here speak to a listener of this computer. */
import { Agent, type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";

/**
 * `fetch` for listeners of this computer. Node's own may be told by the environment to use a proxy, which would get the
 * token; an agent that is told of none uses none. Bodies are texts; redirects are answers.
 */
export async function loopbackFetch(
  url: string | URL,
  { method = "GET", headers, body, signal }: RequestInit = {},
): Promise<Response> {
  const to = new URL(url);
  if (to.protocol !== "http:" || !["127.0.0.1", "localhost", "[::1]"].includes(to.hostname)) {
    throw new TypeError(`${to.origin} is not on this computer.`);
  }
  if (body != null && typeof body !== "string") throw new TypeError("The body is no text.");
  const agent = new Agent();
  const options = { method, agent, headers: Object.fromEntries(new Headers(headers)) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(to, signal ? { ...options, signal } : options);
    sent.once("response", resolve);
    sent.once("error", reject);
    sent.end(body ?? undefined);
  });
  return answerOf(response);
}

/** Statuses that have no body. */
const EMPTY = [204, 205, 304];

function answerOf(response: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", headersDistinct } = response;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  if (EMPTY.includes(status)) {
    response.resume();
    return new Response(null, { status, statusText, headers });
  }
  return new Response(Readable.toWeb(response), { status, statusText, headers });
}
