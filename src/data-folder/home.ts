/** The home folder of who runs this. */
import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/** What tells about it, passed in by tests. */
export interface Account {
  /** What the environment says first. Throws where nothing does. */
  readonly told: () => string;
  /** What the system knows. Throws where it does not. */
  readonly known: () => string;
}

const THIS: Account = { told: homedir, known: () => userInfo().homedir };

/**
 * Absolute; undefined where there is none. `HOME` may be empty or relative: whatever lies in the current folder then is
 * nobody's home, and a token does not belong there.
 */
export function homeFolder({ told, known }: Account = THIS): string | undefined {
  for (const ask of [told, known]) {
    const home = answer(ask);
    if (home !== undefined && isAbsolute(home)) return home;
  }
  return undefined;
}

function answer(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
