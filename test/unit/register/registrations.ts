import { dataPaths } from "../../../src/data-folder/paths.js";
import { type Registration, registrationOf } from "../../../src/register/registration.js";

export const SERVER = { url: "http://127.0.0.1:5226/mcp", expireHours: 23 };

/** The registration of an agent whose data is in `root`. */
export function registration(agent = "my-agent", root = "/data"): Registration {
  const paths = dataPaths(root);
  const bridge = { command: "npx", args: ["-y", "@simplex-chat/mcp", "bridge", agent] };
  return registrationOf(agent, SERVER, paths, { headersHelper: `cat ${paths.headers}`, bridge });
}
