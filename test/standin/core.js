"use strict";
const native = require("./native.js");

/** The core's JSON is in `chatError`; undefined when its answer could not be read. */
class ChatAPIError extends Error {
  constructor(message, chatError = undefined) {
    super(message);
    this.chatError = chatError;
  }
}

/** Why the databases could not be opened is in `dbMigrationError`. */
class ChatInitError extends Error {
  constructor(message, dbMigrationError) {
    super(message);
    this.dbMigrationError = dbMigrationError;
  }
}

const MigrationConfirmation = { YesUp: "yesUp", YesUpDown: "yesUpDown", Console: "console", Error: "error" };

async function chatMigrateInit(path, key, confirm) {
  const [ctrl, answer] = await native.chat_migrate_init(path, key, confirm);
  const result = JSON.parse(answer);
  if (result.type === "ok") return ctrl;
  throw new ChatInitError("Database or migration error (see dbMigrationError property)", result);
}

async function chatCloseStore(ctrl) {
  const answer = await native.chat_close_store(ctrl);
  if (answer !== "") throw new Error(answer);
}

async function chatSendCmd(ctrl, command) {
  return resultOf(await native.chat_send_cmd(ctrl, command), "command");
}

/** The next event; undefined when none came for `wait` microseconds. */
async function chatRecvMsgWait(ctrl, wait) {
  const answer = await native.chat_recv_msg_wait(ctrl, wait);
  return answer === "" ? undefined : resultOf(answer, "event");
}

function resultOf(answer, what) {
  const { result, error } = JSON.parse(answer);
  if (typeof result === "object") return result;
  if (typeof error === "object") throw new ChatAPIError(`Chat ${what} error (see chatError property)`, error);
  throw new ChatAPIError(`Invalid chat ${what} result`);
}

Object.assign(exports, {
  ChatAPIError,
  ChatInitError,
  MigrationConfirmation,
  chatMigrateInit,
  chatCloseStore,
  chatSendCmd,
  chatRecvMsgWait,
});
