/**
 * The local names of a database: own user, contacts, groups and members share one space, in which a name taken
 * gets the next suffix (`Bob`, `Bob_1`, `Bob_2`).
 */
export class DisplayNames {
  private readonly suffixes = new Map<string, Set<number>>();
  private readonly taken = new Map<string, { base: string; suffix: number }>();

  take(base: string): string {
    const used = this.suffixes.get(base);
    let suffix = used && used.size > 0 ? Math.max(...used) + 1 : 0;
    let name = suffixed(base, suffix);
    while (this.taken.has(name)) name = suffixed(base, ++suffix);
    this.keep(name, base, suffix);
    return name;
  }

  has(name: string): boolean {
    return this.taken.has(name);
  }

  release(name: string): void {
    const entry = this.taken.get(name);
    if (!entry) return;
    this.taken.delete(name);
    const used = this.suffixes.get(entry.base);
    used?.delete(entry.suffix);
    if (used?.size === 0) this.suffixes.delete(entry.base);
  }

  toJSON(): SavedNames {
    return [...this.taken].map(([name, { base, suffix }]) => [name, base, suffix]);
  }

  load(saved: SavedNames): void {
    for (const [name, base, suffix] of saved) this.keep(name, base, suffix);
  }

  private keep(name: string, base: string, suffix: number): void {
    this.taken.set(name, { base, suffix });
    const used = this.suffixes.get(base);
    if (used) used.add(suffix);
    else this.suffixes.set(base, new Set([suffix]));
  }
}

export type SavedNames = ReadonlyArray<readonly [name: string, base: string, suffix: number]>;

const suffixed = (base: string, suffix: number): string => (suffix === 0 ? base : `${base}_${suffix}`);
