import { expect } from "vitest";
import { flow } from "../world/flow-test.js";
import { at } from "../world/json.js";

flow("the menu of an earlier version's control chat is renewed at the start, once", async ({ world }) => {
  const { agent, owner } = await world.agentWithOwner();
  const G = agent.controlChat;
  const old = {
    displayName: "Our agent",
    fullName: "",
    groupPreferences: {
      history: { enable: "on" },
      directMessages: { enable: "on" },
      commands: [{ type: "command", keyword: "pending", label: "Pending actions" }],
    },
  };
  await (await agent.hands()).run(`/_group_profile ${G} ${JSON.stringify(old)}`);
  await agent.restart();
  const { groupPreferences, ...names } = old;
  const [renewal = ""] = agent.newCommands().filter((one) => one.startsWith("/_group_profile"));
  const renewed: unknown = JSON.parse(renewal.slice(`/_group_profile ${G} `.length));
  expect(renewed).toMatchObject({ ...names, groupPreferences: { history: groupPreferences.history } });
  const menu = at(renewed, "groupPreferences", "commands");
  const keywords = Array.isArray(menu) ? menu.map((command) => at(command, "keyword")) : [];
  expect(keywords).toEqual(
    expect.arrayContaining(["pending", "list", "leave", "requests", "address", "invite"]),
  );
  await agent.restart();
  await world.settle();
  expect(agent.newCommands().filter((one) => one.startsWith("/_group_profile"))).toEqual([]);
  expect(await owner.answerTo("/pending")).toBe("No pending actions.");
});
