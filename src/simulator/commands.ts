import type { CoreJson } from "../core/chat-api.js";
import { unparsable } from "./errors.js";
import type { User } from "./user.js";

type Run = (user: User, args: RegExpExecArray) => CoreJson;

/** The grammar of the commands: each form with what it does. The first form that fits runs. */
const COMMANDS: ReadonlyArray<readonly [form: RegExp, run: Run]> = [];

export function runCommand(user: User, command: string): CoreJson {
  for (const [form, run] of COMMANDS) {
    const args = form.exec(command);
    if (args) return run(user, args);
  }
  throw unparsable();
}
