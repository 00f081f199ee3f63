import { downloadStep } from "../files/downloads.js";
import { uploadStep } from "../files/uploads.js";
import { deliver } from "../messages/delivery.js";
import type { Protocol } from "../user/user.js";
import { runCommand } from "./commands.js";
import { receive } from "./receive.js";

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
