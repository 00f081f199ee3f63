/** The middle of `values`. @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Milliseconds that `work` takes. @param {() => unknown} work */
export async function time(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * The median of each in milliseconds. They run in turn, so that a busy moment of the machine falls on all of them; a
 * tenth of the rounds goes ahead unmeasured.
 * @param {number} rounds
 * @param {(() => unknown)[]} works
 */
export async function compare(rounds, works) {
  const times = works.map(() => /** @type {number[]} */ ([]));
  const warmUp = Math.ceil(rounds / 10);
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [i, work] of works.entries()) {
      const took = await time(work);
      if (round >= warmUp) times[i]?.push(took);
    }
  }
  return times.map(median);
}
