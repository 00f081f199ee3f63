/** Chats whose names look alike: the owner is told which is which. */
import { flow } from "../world/flow-test.js";
import { contactOf } from "./trail.js";

flow("chats whose names look alike are told apart on cards, in endings and in lists", async ({ world }) => {
  const { agent, owner } = await world.agentWithOwner();
  const { person, chat: bob } = await contactOf(world, agent, "Bob");
  const client = await agent.client("modern");

  // Alone the name is enough.
  const first = client.call("send", { chat: bob, text: "Hi", wait: 0 });
  await owner.sees(/^I want to send a message to contact Bob: `Hi`\n/);
  // With a letter of another alphabet.
  const { chat: other } = await contactOf(world, agent, "B\u043Eb");
  const second = client.call("send", { chat: other, text: "Hi", wait: 0 });
  await owner.sees(
    `I want to send a message to contact B\u043Eb (${other}): \`Hi\`\n` +
      `/'approve ${other} 2', /'approve ${other} all', /'reject ${other} 2' or /'edit ${other} 2'`,
  );
  await owner.says("/approve 1");
  await owner.says("/approve 2");
  await owner.sees(`I sent a message to contact Bob (${bob}): \`Hi\`\nApproved by Alice.`);
  await owner.sees(`I sent a message to contact B\u043Eb (${other}): \`Hi\`\nApproved by Alice.`);
  await Promise.all([first.result, second.result]);

  // A restart forgets nothing.
  await agent.restart();
  const again = await agent.client("modern");
  again.call("send", { chat: bob, text: "Still there?", wait: 0 });
  await owner.sees(
    new RegExp(
      `^I want to send a message to contact Bob \\(${bob}\\): \`Still there\\?\`\\n/'approve ${bob} 3'`,
    ),
  );

  // Under another name it is nobody's double.
  await person.rename("Robert");
  await world.pass(1000);
  await (await agent.hands()).waitFor("the new name", (event) => event.type === "contactUpdated");
  again.call("send", { chat: other, text: "Alone", wait: 0 });
  await owner.sees(/^I want to send a message to contact B\u043Eb: `Alone`\n/);
});
