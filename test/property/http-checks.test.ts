import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRequest, type Expected, type RequestHead, tokenDigest } from "../../src/server/checks.js";
import { cancelledIds, requestIds } from "../../src/server/messages.js";

const PORT = 5226;
const TOKEN = "Zm9yIHRoZSBwcm9wZXJ0eSB0ZXN0cyBvZiBjaGVja3M";
const expected: Expected = { registerAgain: "", port: PORT, tokenDigest: tokenDigest(TOKEN), open: true };

const HOSTS = ["127.0.0.1", "localhost", "[::1]"].map((host) => `${host}:${PORT}`);
const ORIGINS = HOSTS.map((host) => `http://${host}`);

/** Anything, and often nearly right: a known value with something before, after or in place of its parts. */
function near(values: readonly string[]): fc.Arbitrary<string> {
  const known = fc.constantFrom(...values);
  const bit = fc.constantFrom(
    "",
    ".",
    " ",
    ",",
    "@",
    ":",
    "/",
    "0",
    "evil.example",
    "\t",
    "\u0000",
    "http://",
    PORT.toString(),
  );
  return fc.oneof(
    known,
    fc.string({ unit: "binary" }),
    fc.tuple(bit, known, bit).map((parts) => parts.join("")),
    fc.tuple(known, fc.nat(40), fc.nat(3)).map(([text, at, cut]) => text.slice(0, at) + text.slice(at + cut)),
  );
}

const header = (value: fc.Arbitrary<string>) =>
  fc.option(fc.array(value, { maxLength: 3 }), { nil: undefined });

const heads: fc.Arbitrary<RequestHead> = fc.record({
  method: fc.constantFrom("GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS"),
  url: near(["/mcp", "/register", "/.well-known/openid-configuration"]),
  headers: fc.record({
    host: header(near(HOSTS)),
    origin: header(near([...ORIGINS, "null"])),
    authorization: header(near([`Bearer ${TOKEN}`, `bearer ${TOKEN}`])),
  }),
});

/** The rules again, written the other way round: what a request that passes must look like. */
function mayPass({ method, url, headers }: RequestHead): boolean {
  const { host, origin, authorization } = headers;
  return (
    host?.length === 1 &&
    HOSTS.includes((host[0] ?? "").toLowerCase()) &&
    (origin === undefined ||
      origin.length === 0 ||
      (origin.length === 1 && ORIGINS.includes((origin[0] ?? "").toLowerCase()))) &&
    (url === "/mcp" || url.startsWith("/mcp?")) &&
    authorization?.length === 1 &&
    authorization[0]?.slice(0, 7).toLowerCase() === "bearer " &&
    authorization[0].slice(7).replace(/^ +/, "") === TOKEN &&
    ["GET", "POST", "DELETE"].includes(method)
  );
}

describe("the checks of requests, for any request", () => {
  it("let pass exactly what comes from this computer, to /mcp, with the token", () => {
    fc.assert(
      fc.property(heads, (head) => {
        expect(checkRequest(head, expected) === undefined).toBe(mayPass(head));
      }),
      { numRuns: 5000 },
    );
  });

  it("never accept a Host or an Origin that is not in the list", () => {
    const pass = { method: "POST", url: "/mcp" };
    const authorization = [`Bearer ${TOKEN}`];
    fc.assert(
      fc.property(near(HOSTS), near(ORIGINS), (host, origin) => {
        fc.pre(!HOSTS.includes(host.toLowerCase()) || !ORIGINS.includes(origin.toLowerCase()));
        const head = { ...pass, headers: { host: [host], origin: [origin], authorization } };
        expect(checkRequest(head, expected)?.status).toBe(403);
      }),
      { numRuns: 5000 },
    );
  });

  it("never accept a wrong token, and never repeat it", () => {
    const wrong = fc.oneof(
      near([TOKEN]),
      fc
        .tuple(fc.nat(TOKEN.length - 1), fc.string({ unit: "binary", minLength: 1, maxLength: 1 }))
        .map(([at, c]) => TOKEN.slice(0, at) + c + TOKEN.slice(at + 1)),
    );
    fc.assert(
      fc.property(wrong, (token) => {
        fc.pre(token.trim() !== TOKEN);
        const headers = { host: [`127.0.0.1:${PORT}`], authorization: [`Bearer ${token}`] };
        const refusal = checkRequest({ method: "POST", url: "/mcp", headers }, expected);
        expect(refusal?.status).toBe(401);
        if (token.length > 8) expect(JSON.stringify(refusal)).not.toContain(token);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("the ids in a body", () => {
  it("are read from any JSON without an error, and are strings or numbers", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        for (const id of [...requestIds(body), ...cancelledIds(body)]) {
          expect(["string", "number"]).toContain(typeof id);
        }
      }),
    );
  });

  it("are those of the requests, in their order, whatever stands between them", () => {
    const message = fc.oneof(
      fc.record({ method: fc.string(), id: fc.oneof(fc.integer(), fc.string()) }),
      fc.record({ method: fc.string() }),
      fc.record({ id: fc.integer(), result: fc.jsonValue() }),
      fc.jsonValue().filter((value) => typeof value !== "object"),
    );
    fc.assert(
      fc.property(fc.array(message), (batch) => {
        const wanted = batch.flatMap((one) =>
          typeof one === "object" && one !== null && "method" in one && "id" in one ? [one.id] : [],
        );
        expect(requestIds(batch)).toEqual(wanted);
      }),
    );
  });
});
