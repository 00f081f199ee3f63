import { z } from "zod";

const Server = z.object({
  /** `xftp://FINGERPRINT@host,onion:port` */
  server: z.string(),
  enabled: z.boolean(),
  deleted: z.boolean().default(false),
});

/** Servers of one operator, or the user's own. */
export const UserServers = z.object({ smpServers: z.array(Server), xftpServers: z.array(Server) });
export type UserServers = z.infer<typeof UserServers>;
