import { describe, expect, it } from "vitest";
import { checkRequest, type Expected, type RequestHead, tokenDigest } from "../../../src/server/checks.js";
import { REGISTER_AGAIN, TOKEN } from "./support.js";

const expected: Expected = {
  registerAgain: REGISTER_AGAIN,
  port: 5226,
  tokenDigest: tokenDigest(TOKEN),
  open: true,
};

const good: RequestHead = {
  method: "POST",
  url: "/mcp",
  headers: { host: ["127.0.0.1:5226"], authorization: [`Bearer ${TOKEN}`] },
};

function withHeaders(headers: RequestHead["headers"]): RequestHead {
  return { ...good, headers: { ...good.headers, ...headers } };
}

function status(head: RequestHead, changed: Partial<Expected> = {}): number | undefined {
  return checkRequest(head, { ...expected, ...changed })?.status;
}

describe("the checks of a request", () => {
  it("let a good request pass", () => {
    expect(checkRequest(good, expected)).toBeUndefined();
  });

  it.each(["127.0.0.1:5226", "localhost:5226", "LocalHost:5226", "[::1]:5226"])(
    "know the host %s",
    (host) => {
      expect(status(withHeaders({ host: [host] }))).toBeUndefined();
    },
  );

  it.each([
    "",
    "127.0.0.1",
    "127.0.0.1:5227",
    "127.0.0.1:05226",
    "127.0.0.1:5226.",
    " 127.0.0.1:5226",
    "127.1:5226",
    "0.0.0.0:5226",
    "::1:5226",
    "localhost.:5226",
    "localhost:5226@evil.example",
    "evil.example:5226",
    "127.0.0.1:5226, evil.example",
  ])("refuse the host %j", (host) => {
    expect(status(withHeaders({ host: [host] }))).toBe(403);
  });

  it("refuse no host and two hosts", () => {
    expect(status(withHeaders({ host: undefined }))).toBe(403);
    expect(status(withHeaders({ host: ["127.0.0.1:5226", "127.0.0.1:5226"] }))).toBe(403);
  });

  it("accept a host without a port only where 80 is the port", () => {
    const head = withHeaders({
      host: ["localhost"],
      origin: ["http://localhost"],
    });
    expect(status(head, { port: 80 })).toBeUndefined();
    expect(status(head, { port: 8080 })).toBe(403);
  });

  it.each(["http://127.0.0.1:5226", "http://localhost:5226", "http://[::1]:5226"])(
    "know the origin %s",
    (origin) => {
      expect(status(withHeaders({ origin: [origin] }))).toBeUndefined();
    },
  );

  it.each([
    "",
    "null",
    "https://127.0.0.1:5226",
    "http://127.0.0.1",
    "http://127.0.0.1:80",
    "http://127.0.0.1:5226/",
    "127.0.0.1:5226",
    "https://evil.example",
  ])("refuse the origin %j", (origin) => {
    expect(status(withHeaders({ origin: [origin] }))).toBe(403);
  });

  it("refuse two origins, even when both are known", () => {
    const origin = "http://127.0.0.1:5226";
    expect(status(withHeaders({ origin: [origin, origin] }))).toBe(403);
  });

  it.each(["/mcp", "/mcp?x=1", "/mcp?"])("know the path %s", (url) => {
    expect(status({ ...good, url })).toBeUndefined();
  });

  it.each([
    "/",
    "",
    "*",
    "/mcp/",
    "//mcp",
    "/MCP",
    "/%6dcp",
    "/register",
    "/.well-known/oauth-protected-resource/mcp",
    "http://127.0.0.1:5226/mcp",
  ])("answer 404 to the path %j", (url) => {
    expect(status({ ...good, url })).toBe(404);
  });

  it.each(["/register", "/.well-known/oauth-authorization-server", "/mcp/x"])(
    "tell whoever asks for %s that there is no OAuth, and what to run",
    (url) => {
      expect(checkRequest({ ...good, url }, expected)?.body).toEqual({
        error: "not_found",
        error_description: `There is nothing at this path, and there is no OAuth. ${REGISTER_AGAIN}`,
      });
    },
  );

  it("accept the scheme in any case, as HTTP has it", () => {
    expect(status(withHeaders({ authorization: [`bearer  ${TOKEN}`] }))).toBeUndefined();
  });

  it.each([
    undefined,
    [""],
    ["Bearer"],
    ["Bearer "],
    [TOKEN],
    [`Basic ${TOKEN}`],
    [`Bearer ${TOKEN}x`],
    [`Bearer ${TOKEN.slice(1)}`],
    [`Bearer ${TOKEN} ${TOKEN}`],
    [`Bearer ${TOKEN}, Bearer ${TOKEN}`],
    [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`],
  ])("refuse the authorization %j", (authorization) => {
    const refusal = checkRequest(withHeaders({ authorization }), expected);
    expect(refusal?.status).toBe(401);
    expect(refusal?.headers).toEqual({ "WWW-Authenticate": "Bearer" });
    expect(JSON.stringify(refusal?.body)).toContain(REGISTER_AGAIN);
    expect(JSON.stringify(refusal)).not.toContain(TOKEN);
  });

  it("answer 503 with Retry-After until the control chat is started", () => {
    expect(checkRequest(good, { ...expected, open: false })).toMatchObject({
      status: 503,
      headers: { "Retry-After": "1" },
    });
  });

  it.each(["PUT", "PATCH", "OPTIONS", "HEAD", "TRACE"])("answer 405 to %s", (method) => {
    expect(checkRequest({ ...good, method }, expected)).toMatchObject({
      status: 405,
      headers: { Allow: "GET, POST, DELETE" },
    });
  });

  it("go in their order: host, origin, path, token, readiness, method", () => {
    const bad = {
      method: "PUT",
      url: "/x",
      headers: {
        host: ["evil"],
        origin: ["http://evil"],
        authorization: ["Bearer x"],
      },
    };
    const closed = { open: false };
    const steps: [RequestHead, number][] = [
      [bad, 403],
      [{ ...bad, headers: { ...bad.headers, host: good.headers.host } }, 403],
      [{ ...bad, headers: { ...good.headers, authorization: ["Bearer x"] } }, 404],
      [
        {
          ...bad,
          url: "/mcp",
          headers: { ...good.headers, authorization: ["Bearer x"] },
        },
        401,
      ],
      [{ ...good, method: "PUT" }, 503],
    ];
    for (const [head, wanted] of steps) expect(status(head, closed)).toBe(wanted);
    expect(checkRequest(bad, expected)?.body).toMatchObject({
      error: { message: "The Host header is not 127.0.0.1:5226." },
    });
    expect(status({ ...good, method: "PUT" })).toBe(405);
  });
});
