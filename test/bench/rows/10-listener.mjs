import { bareListener, client, ERAS, ourListener } from "../mcp.mjs";
import { compare } from "../measure.mjs";

/** What the checks, the sessions and the delivery cost a call. @type {import("../table.mjs").MakeRows} */
export async function rows({ dist, rounds }) {
  /** @type {import("../table.mjs").Row[]} */
  const made = [];
  for (const era of ERAS) {
    const listeners = [await bareListener(era), await ourListener(dist)];
    const clients = await Promise.all(listeners.map(({ url }) => client(url, era)));
    const one = clients.map((each) => () => call(each));
    const many = clients.map((each) => () => Promise.all(Array.from({ length: 100 }, () => call(each))));
    const [bare = 0, ours = 0] = await compare(rounds(500), one);
    const [bareMany = 0, oursMany = 0] = await compare(rounds(20), many);
    made.push(
      { what: `no-op call, bare SDK server, ${era}`, value: bare, unit: "ms" },
      { what: `no-op call, our listener, ${era}`, value: ours, unit: "ms", of: bare },
      { what: `100 no-op calls at once, bare SDK server, ${era}`, value: bareMany, unit: "ms" },
      { what: `100 no-op calls at once, our listener, ${era}`, value: oursMany, unit: "ms", of: bareMany },
    );
    await Promise.all(clients.map((each) => each.close()));
    await Promise.all(listeners.map((each) => each.close()));
  }
  return made;
}

/** @param {import("@modelcontextprotocol/client").Client} client */
function call(client) {
  return client.callTool({ name: "noop", arguments: {} });
}
