import type { PauseRecord } from "../../actions/pause.js";
import type { RecordData } from "./record.js";

/** The pause that an earlier run saved and nobody ended. One that cannot be read is one, too. */
export function savedPause({ paused }: Readonly<RecordData>): PauseRecord | undefined {
  if (paused === undefined || paused === null || paused === false) return undefined;
  const { by, at } = Object(paused);
  return {
    by: typeof by === "string" ? by : "An owner",
    at: typeof at === "string" && !Number.isNaN(Date.parse(at)) ? at : new Date(0).toISOString(),
  };
}
