import { expect } from "vitest";
import { z } from "zod";
import type { TestClient } from "../world/client.js";

const Listed = z.object({
  actions: z.array(
    z.object({
      action: z.number(),
      tool: z.string(),
      input: z.record(z.string(), z.unknown()),
      state: z.string(),
      created: z.string(),
      expires: z.string(),
      open: z.boolean(),
    }),
  ),
});

export type ListedAction = z.infer<typeof Listed>["actions"][number];

/** The actions that the agent is shown. */
export async function listedActions(client: TestClient): Promise<ListedAction[]> {
  return Listed.parse((await client.use("list")).data).actions;
}

/** Waits until the agent is shown an action like this: that a call was lost is known a moment later. */
export async function withAction(
  client: TestClient,
  like: Partial<ListedAction> & { action: number },
): Promise<ListedAction> {
  return await expect
    .poll(() => listedActions(client), { timeout: 25_000, interval: 2 })
    .toContainEqual(expect.objectContaining(like))
    .then(async () => {
      const found = (await listedActions(client)).find(({ action }) => action === like.action);
      if (!found) throw new Error(`action ${like.action} is gone`);
      return found;
    });
}
