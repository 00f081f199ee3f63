import type { Json } from "./values.js";

export type MessageContent = Json & { readonly type: string; readonly text: string };

export const isMessage = (value: unknown): value is MessageContent =>
  typeof value === "object" && value !== null && "type" in value && "text" in value;
