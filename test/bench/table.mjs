/**
 * @typedef {object} Row
 * @property {string} what
 * @property {number} [value]
 * @property {string} [unit]
 * @property {number} [of] The figure that `value` is shown as a ratio of.
 * @property {number} [aim] What the ratio is to be at most, or the figure where it is no ratio.
 * @property {string} [skipped] Why there is no figure.
 */

/**
 * @typedef {object} Bench
 * @property {(path: string) => Promise<any>} dist Imports a built module, by its path in `dist/`.
 * @property {(n: number) => number} rounds `n`, or a tenth of it with `--short`.
 */

/** @typedef {(bench: Bench) => Promise<Row[]>} MakeRows */

/** The rows as aligned text, a line each. @param {Row[]} rows */
export function table(rows) {
  const lines = [["what", "", "ratio", "aim"], ...rows.map(cells)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(([what = "", figure = "", ratio = "", aim = ""]) =>
      [
        what.padEnd(widths[0] ?? 0),
        ...[figure, ratio, aim].map((cell, i) => cell.padStart(widths[i + 1] ?? 0)),
      ]
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** @param {Row} row */
function cells({ what, value, unit = "", of, aim, skipped }) {
  if (value === undefined) return [what, `skipped: ${skipped ?? "no figure"}`, "", ""];
  const ratio = of === undefined ? "" : `${(value / of).toFixed(2)}x`;
  const aimed = aim === undefined ? "" : `${aim}${of === undefined ? "" : "x"}`;
  return [what, `${rounded(value)} ${unit}`.trim(), ratio, aimed];
}

/** Three digits that count. @param {number} value */
function rounded(value) {
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
}
