"use strict";
const fs = require("node:fs");

/** What every SQLite file begins with. */
const HEADER = "SQLite format 3\0";

const filesOf = (filePrefix) => [`${filePrefix}_chat.db`, `${filePrefix}_agent.db`];

/** The core's answer to a file that is no database of this key; a missing or empty one is quietly made anew. */
exports.databaseProblem = (filePrefix, key) => {
  for (const dbFile of filesOf(filePrefix)) {
    const text = fs.existsSync(dbFile) ? fs.readFileSync(dbFile, "latin1") : "";
    if (text !== "" && (key !== "" || !text.startsWith(HEADER))) return { type: "errorNotADatabase", dbFile };
  }
  return undefined;
};

/** Makes the files that are not there; the core's answer when it cannot. */
exports.createDatabases = (filePrefix) => {
  for (const dbFile of filesOf(filePrefix)) {
    try {
      fs.appendFileSync(dbFile, fs.existsSync(dbFile) && fs.statSync(dbFile).size > 0 ? "" : HEADER);
    } catch (error) {
      return { type: "errorSQL", dbFile, migrationSQLError: sqlErrorOf(error) };
    }
  }
  return undefined;
};

function sqlErrorOf(error) {
  switch (error.code) {
    case "ENOSPC":
      return "SQLite3 returned ErrorFull while attempting to perform step: database or disk is full";
    case "EROFS":
    case "EACCES":
      return "SQLite3 returned ErrorReadOnly while attempting to perform step: attempt to write a readonly database";
    default:
      return "SQLite3 returned ErrorCan'tOpen while attempting to perform open: unable to open database file";
  }
}
