import { describe, expect, it } from "vitest";
import { claimedVersion, legacyAnswer, modernHeaders, modernRequest } from "../../../src/bridge/eras.js";
import { asRequest, messagesIn, type Request } from "../../../src/bridge/json-rpc.js";

const call = (params: object): Request => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { ...params },
});

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "simplex-mcp bridge", version: "1.2.3" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

describe("a request of an era before", () => {
  it("gets the envelope of the modern era, and keeps what it has", () => {
    const request = call({ name: "send", arguments: { chat: "@4" }, _meta: { progressToken: 7 } });
    expect(claimedVersion(request)).toBeUndefined();
    const modern = modernRequest(request, "1.2.3");
    expect(modern).toEqual(
      call({ name: "send", arguments: { chat: "@4" }, _meta: { progressToken: 7, ...ENVELOPE } }),
    );
    expect(claimedVersion(modern)).toBe("2026-07-28");
  });

  it("is answered without what only the modern era has", () => {
    const serverInfo = { name: "simplex" };
    const modern = {
      content: [],
      structuredContent: { status: "done" },
      resultType: "complete",
      _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
    };
    const answer = { jsonrpc: "2.0" as const, id: 1, result: modern };
    expect(legacyAnswer(answer).result).toEqual({ content: [], structuredContent: { status: "done" } });
    const more = { ...modern, _meta: { ...modern._meta, other: 1 } };
    expect(legacyAnswer({ ...answer, result: more }).result).toMatchObject({ _meta: { other: 1 } });
    const error = { jsonrpc: "2.0" as const, id: 1, error: { code: 1, message: "" } };
    expect(legacyAnswer(error)).toEqual(error);
  });
});

describe("a request of the modern era", () => {
  it("is passed on as it is, its version told in a header whatever it is", () => {
    const request = call({
      name: "send",
      _meta: { "io.modelcontextprotocol/protocolVersion": "2030-01-01" },
    });
    expect(modernRequest(request, "1.2.3")).toBe(request);
    expect(modernHeaders(request)).toEqual({
      "Mcp-Protocol-Version": "2030-01-01",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "send",
    });
  });

  it.each([
    ["send", "send"],
    ["two words", "two words"],
    ["é", `=?base64?${Buffer.from("é").toString("base64")}?=`],
    ["a\r\nHost: evil", `=?base64?${Buffer.from("a\r\nHost: evil").toString("base64")}?=`],
    [" a", `=?base64?${Buffer.from(" a").toString("base64")}?=`],
    ["", "=?base64??="],
    ["=?base64?YQ==?=", `=?base64?${Buffer.from("=?base64?YQ==?=").toString("base64")}?=`],
  ])("tells the name %j in a header that can hold it", (name, header) => {
    expect(modernHeaders(call({ name }))["Mcp-Name"]).toBe(header);
  });
});

describe("what a client writes", () => {
  it.each([
    ["", []],
    ["x", []],
    ["1", []],
    ["null", []],
    ['[1,{"id":1},[{}]]', [{ id: 1 }]],
    ['{"id":1}', [{ id: 1 }]],
  ])("%j holds the messages %j", (line, messages) => {
    expect(messagesIn(line)).toEqual(messages);
  });

  it("is a request by its id and method, its parameters an object or none", () => {
    expect(asRequest({ id: 1, method: "ping", params: [1] })).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "ping",
    });
    for (const id of [null, undefined, {}, true]) expect(asRequest({ id, method: "ping" })).toBeUndefined();
  });
});
