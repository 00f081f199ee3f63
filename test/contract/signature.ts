import type { CoreJson } from "../../src/core/chat-api.js";
import type { Translation } from "./translation.js";

type Fields = Record<string, unknown>;

/** What an event is about, without ids: recorded and simulated events with equal signatures are the same event. */
export function signature(event: CoreJson, translation?: Translation): string {
  const about = Object.entries(event)
    .filter(([key]) => key !== "user")
    .map(([, value]) => subject(value));
  const text = `${event.type} ${about.filter((part) => part !== "").join(" ")}`;
  return translation === undefined ? text : translation.text(text);
}

/** As `signature`, for an event that is not quite as recorded. */
export function roughSignature(event: CoreJson): string {
  const { chatItems, chatItem } = event;
  const items = Array.isArray(chatItems) ? chatItems : chatItem === undefined ? [] : [chatItem];
  return `${event.type} ${items.map((item) => contentType(item)).join(" ")}`;
}

function subject(value: unknown): string {
  if (Array.isArray(value)) return value.map(subject).join(",");
  if (!isFields(value)) return "";
  if (isFields(value.chatItem)) return itemSubject(value.chatItem);
  if (isFields(value.memberProfile)) return `${value.memberProfile.displayName}/${value.memberStatus}`;
  return "";
}

function itemSubject(item: Fields): string {
  const { meta, content } = item;
  if (!isFields(meta) || !isFields(content)) return "";
  const status = isFields(meta.itemStatus)
    ? `${meta.itemStatus.type}${meta.itemStatus.sndProgress ?? ""}`
    : "";
  return `${content.type}:${status}:${meta.itemText}`;
}

function contentType(item: unknown): string {
  const content = isFields(item) && isFields(item.chatItem) ? item.chatItem.content : undefined;
  return isFields(content) ? String(content.type) : "";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
