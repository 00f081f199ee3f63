import { expect, it } from "vitest";
import { ActionFieldsOut } from "../../../src/tools/call/schemas.js";

it("each status of an action is explained", () => {
  const { options, description = "" } = ActionFieldsOut.status;
  const explained = [...description.matchAll(/(?:^|\. )(\w+): /g)].map(([, status]) => status);
  expect(explained).toEqual(options);
});
