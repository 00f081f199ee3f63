import { describe, expect, it } from "vitest";
import { z } from "zod";
import { advertised, advertisedInput } from "../../../src/tools/call/advertised.js";
import { forgiven } from "../../../src/tools/call/forgiving.js";
import { item, limit, wait } from "../../../src/tools/call/schemas.js";

const Input = z.strictObject({
  chat: z.string(),
  text: z.string().optional(),
  incognito: z.boolean().default(false),
  reply_to: item.optional(),
  mention: z.array(z.int().positive()).max(3).optional(),
  wait: wait(60, "how long"),
  limit,
});

describe("the arguments of a call", () => {
  it("lack what is null and may be missing", () => {
    const input = { chat: "@4", text: null, incognito: null, reply_to: null, mention: null, wait: null };
    expect(Input.parse(forgiven(Input, input))).toEqual({
      chat: "@4",
      incognito: false,
      wait: 60,
      limit: 20,
    });
  });

  it("have numbers for numeric strings, where numbers are wanted", () => {
    const input = { chat: "5", text: "7", reply_to: "12", mention: ["3", 4], wait: " 2.5 ", limit: "100" };
    expect(Input.parse(forgiven(Input, input))).toEqual({
      chat: "5",
      text: "7",
      incognito: false,
      reply_to: 12,
      mention: [3, 4],
      wait: 2.5,
      limit: 100,
    });
  });

  it.each<unknown>([
    { chat: null },
    { chat: 4 },
    { chat: "@4", other: null },
    { chat: "@4", reply_to: "" },
    { chat: "@4", reply_to: "0x10" },
    { chat: "@4", reply_to: "1e3" },
    { chat: "@4", reply_to: "twelve" },
    { chat: "@4", reply_to: "1.5" },
    { chat: "@4", reply_to: "99999999999999999999" },
    { chat: "@4", mention: "3" },
    { chat: "@4", mention: [null] },
    { chat: "@4", limit: "101" },
    { chat: "@4", incognito: "true" },
    { chat: "@4", constructor: "1" },
    [],
    "text",
    5,
  ])("are refused as before where they are wrong: %j", (input) => {
    expect(Input.safeParse(forgiven(Input, input)).success).toBe(false);
  });

  it("may be missing altogether for a tool that needs none", () => {
    expect([forgiven(Input, undefined), forgiven(Input, null)]).toEqual([{}, {}]);
  });

  it("are advertised as they are", () => {
    const form = (schema: ReturnType<typeof advertised>) =>
      schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
    expect(form(advertisedInput(Input))).toEqual(form(advertised(Input)));
    expect(
      advertisedInput(Input)["~standard"].validate({ chat: "@4", limit: "7", text: null }),
    ).toMatchObject({
      value: { chat: "@4", limit: 7 },
    });
  });
});
