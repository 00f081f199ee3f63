/** The JSON of the core that is read: only the fields used. Unknown keys are dropped, unknown variants tolerated. */
export * from "./types/chat-refs.js";
export * from "./types/chats.js";
export * from "./types/events.js";
export * from "./types/files.js";
export * from "./types/groups.js";
export * from "./types/items.js";
export * from "./types/links.js";
export * from "./types/messages.js";
export * from "./types/people.js";
export * from "./types/refs.js";
export * from "./types/servers.js";
