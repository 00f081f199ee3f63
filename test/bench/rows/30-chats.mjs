import { agent } from "../agent.mjs";
import { bareListener, client, ERAS } from "../mcp.mjs";
import { compare } from "../measure.mjs";

/** What a whole `list` costs, the core's answer included. @type {import("../table.mjs").MakeRows} */
export async function rows({ dist, rounds }) {
  /** @type {import("../table.mjs").Row[]} */
  const made = [];
  const ours = await agent(dist);
  for (const era of ERAS) {
    const bare = await bareListener(era);
    const bareClient = await client(bare.url, era);
    const ourClient = await client(ours.url, era, ours.token);
    const [noop = 0, list = 0] = await compare(rounds(500), [
      () => bareClient.callTool({ name: "noop", arguments: {} }),
      () => ourClient.callTool({ name: "list", arguments: {} }),
    ]);
    made.push(
      { what: `no-op call, bare SDK server, ${era}`, value: noop, unit: "ms" },
      { what: `list of ${ours.chats.length} chats, ${era}`, value: list, unit: "ms", of: noop },
    );
    await Promise.all([bareClient.close(), ourClient.close()]);
    await bare.close();
  }
  await ours.close();
  return made;
}
