import type { CustomData } from "../../core/types.js";

/** The key of this program in a chat's `customData`; other programs' keys stay as they are. */
export const CUSTOM_DATA_KEY = "simplexMcp";

/** The object under a key; empty when there is none. */
export function ownCustomData(data: CustomData | undefined, key = CUSTOM_DATA_KEY): Record<string, unknown> {
  const own = data?.[key];
  return typeof own === "object" && own !== null && !Array.isArray(own) ? { ...own } : {};
}
