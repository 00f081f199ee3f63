"use strict";

/**
 * A start that fails as `SIMPLEX_STANDIN_FAILURE` says, a JSON object: `dbMigrationError` is returned as the core's
 * answer, `download` (the reason) is a native library that could not be fetched.
 */
exports.failIfTold = () => {
  const told = process.env.SIMPLEX_STANDIN_FAILURE;
  if (!told) return undefined;
  const { download, dbMigrationError } = JSON.parse(told);
  if (download) {
    const url = "https://libs.test/simplex-chat-libs.zip";
    console.error(`Downloading libsimplex from ${url} ...`);
    throw new Error(`${download} downloading ${url}`);
  }
  return dbMigrationError;
};
