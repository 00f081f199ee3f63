import type { CoreJson } from "../../core/api/chat-api.js";
import { chatError, unparsable } from "../data/errors.js";
import type { User } from "../user/user.js";
import { CHAT_COMMANDS } from "./chats.js";
import { CONNECT_COMMANDS } from "./connect.js";
import { FILE_COMMANDS } from "./files.js";
import type { Command } from "./grammar.js";
import { GROUP_COMMANDS } from "./groups.js";
import { MESSAGE_COMMANDS } from "./messages.js";
import { USER_COMMANDS } from "./user.js";

/**
 * What the core does that the simulator leaves out. These commands fail as unparsable, or as the sentence says:
 * - files in notes, files of old clients, warnings about files, descriptors that lead to descriptors;
 * - several users in one database (`/_create user` again, `/_delete user`), remote hosts, calls, tags to set;
 * - channels over relays, reports (`/_report`);
 * - changing `/_servers`, and SQL beyond the queries of `sql.ts` (dBException).
 */
const COMMANDS: readonly Command[] = [
  ...USER_COMMANDS,
  ...CHAT_COMMANDS,
  ...CONNECT_COMMANDS,
  ...GROUP_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...FILE_COMMANDS,
];

/** The commands by their first word, so that a command is not tried against all forms. */
const BY_WORD = new Map<string, Command[]>();
for (const command of COMMANDS) {
  const word = /^\^?(\/\w+)/.exec(command.form.source.replaceAll("\\/", "/"))?.[1] ?? "";
  const commands = BY_WORD.get(word);
  if (commands) commands.push(command);
  else BY_WORD.set(word, [command]);
}

/** Parses a command, checks that it may be run now, and runs it. */
export function runCommand(user: User, text: string): CoreJson {
  for (const command of BY_WORD.get(/^\/\w+/.exec(text)?.[0] ?? "") ?? []) {
    const match = command.form.exec(text);
    if (!match) continue;
    const args = match.groups ?? {};
    const run = command.parse(args);
    check(user, command, args.user);
    return run(user);
  }
  throw unparsable();
}

function check(user: User, { needs }: Command, userId: string | undefined): void {
  if (needs === "nothing") return;
  if (!user.db.user) throw chatError("noActiveUser");
  if (needs !== "user" && !user.started) throw chatError("chatNotStarted");
  if (userId === undefined) return;
  const commandUserId = Number(userId);
  const { userId: activeUserId } = user.db.user;
  if (commandUserId !== activeUserId) throw chatError("differentActiveUser", { commandUserId, activeUserId });
}
