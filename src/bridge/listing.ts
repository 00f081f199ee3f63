import { readFile } from "node:fs/promises";
import type { ServerJson } from "../data-folder/server-json.js";

/** What a client learns of an agent before it calls a tool. */
export interface Listing {
  readonly instructions: string;
  readonly tools: readonly object[];
}

export type Listings = Readonly<Record<ServerJson["approve"], Listing>>;

/** Written at the build by `write-listing.ts`: to make it takes longer than the bridge to start. */
export const LISTINGS_FILE = new URL("./listing.json", import.meta.url);

export async function readListings(): Promise<Listings> {
  return JSON.parse(await readFile(LISTINGS_FILE, "utf8")) as Listings;
}
