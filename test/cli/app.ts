import { join } from "node:path";
import { inject } from "vitest";
import { temporaryFolder } from "./folders.js";
import { type App, appIn, makeApp } from "./make-app.js";

/** The installation whose SimpleX library is the stand-in: the core is in the test process. */
export const appWithStandin = (): App => appIn(inject("standin"));

/** The installation without a SimpleX library. */
export const appWithoutLibrary = (): App => appIn(inject("missing"));

/** An installation with a SimpleX library of its own, CommonJS, for the running test. */
export async function appWithLibrary(source: string): Promise<App> {
  const dist = join(inject("missing"), "dist");
  return makeApp(join(await temporaryFolder(), "app"), dist, { source });
}
