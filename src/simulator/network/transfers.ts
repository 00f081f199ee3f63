import type { FileRow } from "../data/file-rows.js";
import type { Database } from "../database/database.js";
import type { Direction } from "./file-controls.js";
import type { ServerSide } from "./server-side.js";

/** What the agent still does for a file. */
function directionOf({ sending, receiving }: FileRow): Direction | undefined {
  if (sending) return sending.over ? undefined : "upload";
  return receiving?.state === "connected" && !receiving.ended ? "download" : undefined;
}

/** Whose files they are. */
interface Core {
  readonly database: string;
  readonly db: Database;
  readonly network: Pick<ServerSide, "clock" | "files">;
  readonly online: boolean;
  later(task: () => void): void;
}

/** The agent's work on a user's files: one after the other in each direction, chunk by chunk, while it may. */
export class Transfers {
  /** Directions whose next step is on its way. */
  private readonly working = new Set<Direction>();

  constructor(
    private readonly core: Core,
    private readonly move: (row: FileRow) => void,
  ) {}

  /** Goes on with the files, after something that let them go on. */
  go(): void {
    for (const direction of ["upload", "download"] as const) {
      if (this.working.has(direction) || !this.next(direction)) continue;
      this.working.add(direction);
      this.core.later(() => this.work(direction));
    }
  }

  private next(direction: Direction): FileRow | undefined {
    for (const row of this.core.db.files.values()) if (directionOf(row) === direction) return row;
    return undefined;
  }

  private work(direction: Direction): void {
    const { network, online, database } = this.core;
    const wait = online && this.next(direction) ? network.files.admit(direction, database) : undefined;
    if (wait === undefined) this.working.delete(direction);
    else if (wait === 0) this.step(direction);
    else network.clock.after(wait, () => this.step(direction));
  }

  private step(direction: Direction): void {
    this.working.delete(direction);
    // It may be deleted or cancelled since, or the user gone.
    const row = this.core.online ? this.next(direction) : undefined;
    if (row) this.move(row);
    this.go();
  }
}
