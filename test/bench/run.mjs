import { readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { table } from "./table.mjs";

const DIST = new URL("../../dist/", import.meta.url);
const ROWS = new URL("rows/", import.meta.url);

const { values, positionals } = parseArgs({
  options: { short: { type: "boolean" }, json: { type: "boolean" } },
  allowPositionals: true,
});

/** @type {import("./table.mjs").Bench} */
const bench = {
  dist: (path) => import(new URL(path, DIST).href),
  rounds: (n) => (values.short ? Math.ceil(n / 10) : n),
};

/** @type {import("./table.mjs").Row[]} */
const rows = [];
for (const name of (await readdir(ROWS)).sort()) {
  if (!name.endsWith(".mjs") || !positionals.every((word) => name.includes(word))) continue;
  const file = new URL(name, ROWS);
  try {
    rows.push(...(await (await import(file.href)).rows(bench)));
  } catch (error) {
    const [skipped] = (error instanceof Error ? error.message : String(error)).split("\n");
    rows.push({ what: name, skipped });
  }
}
if (values.json) {
  const figures = rows.map((row) => {
    const { value, of } = row;
    return value === undefined || of === undefined ? row : { ...row, ratio: value / of };
  });
  console.log(JSON.stringify(figures, null, 2));
} else console.log(table(rows));
