import { writeFile } from "node:fs/promises";
import { LISTINGS_FILE } from "./listing.js";
import { listings } from "./make-listing.js";

/** Run at the build: keeps what the listener says of its tools, so that the bridge need not load them to say it. */
await writeFile(LISTINGS_FILE, JSON.stringify(await listings()));
