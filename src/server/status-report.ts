import { z } from "zod";

/** What `GET /status` answers. The agent holds the token, so it says little more than the agent's tools do. */
export const statusReport = z.object({
  agent: z.string(),
  /** The display name of its profile; this and the owners' in one line of visible characters. */
  name: z.string(),
  version: z.string(),
  /** When the server was started; ISO 8601, UTC. */
  since: z.iso.datetime(),
  /** By whom and since when, where an owner paused the agent. */
  paused: z.object({ by: z.string(), at: z.iso.datetime() }).optional(),
  approve: z.enum(["requests", "host"]),
  expireHours: z.number(),
  /** The names of those who approve now. */
  owners: z.array(z.string()),
  /** Without the control chat. */
  chats: z.number(),
  /** Chats whose messages or downloads need no further approval, and what is left of that where it ends. */
  approvals: z
    .array(
      z.object({
        chat: z.string(),
        name: z.string(),
        of: z.enum(["messages", "downloads"]),
        by: z.string(),
        at: z.string(),
        until: z.string().optional(),
        left: z.number().optional(),
      }),
    )
    .default([]),
  /** Actions that wait for an owner. */
  pending: z.number(),
});
export type StatusReport = z.infer<typeof statusReport>;
