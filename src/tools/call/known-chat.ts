import { isChatNotFound } from "../../core/errors/errors.js";
import { type ChatInfo, type ChatRef, ownContact } from "../../core/types.js";
import { type ChatDescription, describeChat } from "../../messages/chats.js";
import { isWaiting } from "../../messages/waiting.js";
import type { AgentDeps } from "./agent.js";
import { ToolError } from "./tool.js";

export interface KnownChat extends ChatDescription {
  info: ChatInfo;
}

/**
 * The chat as it is now. The control chat is no chat for the agent, nor is what the core has as its own contact, nor
 * that of somebody who still asks to be let in.
 */
export async function readChat(deps: AgentDeps, ref: ChatRef): Promise<KnownChat> {
  if (ref === deps.controlChat || ref === ownContact(deps.user)) throw noChat(ref);
  try {
    const { chat } = await deps.core.getChat(ref, { count: 0 });
    const description = describeChat(chat.chatInfo);
    if (!description || isWaiting(chat.chatInfo)) throw noChat(ref);
    return { ...description, info: chat.chatInfo };
  } catch (error) {
    if (isChatNotFound(error)) throw noChat(ref);
    throw error;
  }
}

/** Whether there is such a chat now. */
export async function isKnown(deps: AgentDeps, ref: ChatRef): Promise<boolean> {
  try {
    await readChat(deps, ref);
    return true;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

export function noChat(ref: ChatRef): ToolError {
  return new ToolError(`There is no chat ${ref}. list shows the chats.`);
}
