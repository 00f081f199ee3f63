import { fileURLToPath } from "node:url";

/** The folder of this project. */
export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
