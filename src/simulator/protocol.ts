import { runCommand } from "./commands.js";
import { deliver } from "./delivery.js";
import { downloadStep } from "./downloads.js";
import { receive } from "./receive.js";
import { uploadStep } from "./uploads.js";
import type { Protocol } from "./user.js";

/** What the simulator plays of the core. */
export const protocol: Protocol = {
  runCommand,
  deliver,
  receive,
  moveFile: (user, row) => {
    if (row.sending) uploadStep(user, row, row.sending);
    else if (row.receiving) downloadStep(user, row, row.receiving);
  },
};
