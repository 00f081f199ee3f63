/** Rows by id. As in SQLite the next id follows the highest in the table, so that the id of a deleted last row comes again. */
export class Table<Row> {
  private readonly rows = new Map<number, Row>();
  private last = 0;

  /** With `keepsCounting` (AUTOINCREMENT) no id comes again. */
  constructor(private readonly keepsCounting = false) {}

  insert(make: (id: number) => Row): Row {
    const id = ++this.last;
    const row = make(id);
    this.rows.set(id, row);
    return row;
  }

  get(id: number | undefined): Row | undefined {
    return id === undefined ? undefined : this.rows.get(id);
  }

  /** A row that must exist: another row names it. */
  at(id: number | undefined): Row {
    const row = this.get(id);
    if (!row) throw new Error(`no row ${id}`);
    return row;
  }

  delete(id: number): void {
    this.rows.delete(id);
    if (id !== this.last || this.keepsCounting) return;
    this.last = 0;
    for (const other of this.rows.keys()) if (other > this.last) this.last = other;
  }

  values(): IterableIterator<Row> {
    return this.rows.values();
  }

  /** The highest id given. */
  get latestId(): number {
    return this.last;
  }

  get size(): number {
    return this.rows.size;
  }

  toJSON(): SavedTable<Row> {
    return { last: this.last, rows: [...this.rows.entries()] };
  }

  load(saved: SavedTable<Row>): void {
    this.last = saved.last;
    this.rows.clear();
    for (const [id, row] of saved.rows) this.rows.set(id, row);
  }
}

export interface SavedTable<Row> {
  readonly last: number;
  readonly rows: ReadonlyArray<[number, Row]>;
}
