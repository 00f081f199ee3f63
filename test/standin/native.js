"use strict";
// Plays the native add-on, with its function names and its JSON strings. The core itself is in the test process.
const { createDatabases, databaseProblem } = require("./databases.js");
const { CoreLink } = require("./core-link.js");
const { failIfTold } = require("./told-failure.js");

const links = new Map();

exports.chat_migrate_init = async (filePrefix, key, confirm) => {
  const told = failIfTold();
  const problem = told ?? databaseProblem(filePrefix, key) ?? createDatabases(filePrefix);
  if (problem) return [0n, JSON.stringify(problem)];
  const link = await CoreLink.connect(filePrefix, confirm);
  const ctrl = BigInt(links.size + 1);
  links.set(ctrl, link);
  return [ctrl, JSON.stringify({ type: "ok" })];
};

exports.chat_send_cmd = (ctrl, command) => linkOf(ctrl).ask({ command });

exports.chat_recv_msg_wait = (ctrl, wait) => linkOf(ctrl).receive(wait / 1000);

exports.chat_close_store = async (ctrl) => {
  await linkOf(ctrl).close();
  return "";
};

function linkOf(ctrl) {
  const link = links.get(ctrl);
  if (!link) throw new Error("no such controller");
  return link;
}
