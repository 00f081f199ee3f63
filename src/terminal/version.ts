import { readFileSync } from "node:fs";

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return version;
}

/** The version of this package. */
export const VERSION = readVersion();
