import { agent } from "../agent.mjs";
import { time } from "../measure.mjs";

const COLLECTORS = 1000;

/** Incoming messages with many calls waiting for others: each costs the same, however many came before. @type {import("../table.mjs").MakeRows} */
export async function rows({ dist, rounds }) {
  const { EventQueue } = await dist("core/events.js");
  const { ChatItemsWatch } = await dist("messages/watch.js");
  const { systemClock } = await dist("time/system-clock.js");
  const sample = await incomingMessage(dist);
  /** Microseconds a message. @param {number} count */
  const measure = async (count) => {
    const watch = new ChatItemsWatch(systemClock);
    for (let i = 1; i <= COLLECTORS; i++) watch.collect(`#${i}`);
    const queue = new EventQueue((/** @type {any} */ event) => watch.onEvent(event), console.error);
    queue.open();
    const took = await time(async () => {
      for (let i = 0; i < count; i++) queue.push(inGroup(sample, (i % COLLECTORS) + 1, i + 1));
      await queue.idle();
    });
    return (took * 1000) / count;
  };
  await measure(rounds(2000));
  const few = await measure(rounds(10_000));
  const many = await measure(rounds(100_000));
  return [
    { what: `a message of ${rounds(10_000)}, with ${COLLECTORS} calls waiting`, value: few, unit: "µs" },
    {
      what: `a message of ${rounds(100_000)}, with ${COLLECTORS} calls waiting`,
      value: many,
      unit: "µs",
      of: few,
    },
  ];
}

/** A `newChatItems` event as the core gives it. @param {(path: string) => Promise<any>} dist */
async function incomingMessage(dist) {
  const { SimulatedNetwork } = await dist("simulator/network.js");
  const ours = await agent(dist, { groups: 0 });
  /** @type {any} */
  let event;
  ours.api.onAny((/** @type {any} */ one) => {
    const text = one.chatItems?.[0]?.chatItem.content.type === "rcvMsgContent";
    if (text) event = one;
  });
  await ours.say("a message of ordinary length, as people write them");
  await ours.network.idle();
  await ours.close();
  if (!event) throw new Error(`no message came in a ${SimulatedNetwork.name}`);
  return event;
}

/** The event as a message of another group. @param {any} event @param {number} group @param {number} item */
function inGroup(event, group, item) {
  const [{ chatInfo, chatItem }] = event.chatItems;
  return {
    ...event,
    chatItems: [
      {
        chatInfo: { ...chatInfo, groupInfo: { ...chatInfo.groupInfo, groupId: group } },
        chatItem: { ...chatItem, meta: { ...chatItem.meta, itemId: item } },
      },
    ],
  };
}
