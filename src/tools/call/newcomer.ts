import { explain } from "../../core/errors/explain.js";
import type { ChatRef } from "../../core/types.js";
import { isReceivedMessage, isUnread } from "../../messages/items.js";
import type { AgentDeps } from "./agent.js";

/** A request comes with one message; its sender can write more only once it is let in. */
const FIRST_MESSAGES = 20;

/**
 * Hands the messages of a chat that was just let in to calls that wait for messages of any chat: when they came they
 * were none for the agent. Never rejects.
 */
export async function tellWaitingCalls(
  { core, watch, log }: Pick<AgentDeps, "core" | "watch" | "log">,
  ref: ChatRef,
): Promise<void> {
  if (!watch.waitsForAll) return;
  try {
    const { chatInfo, chatItems } = (await core.getChat(ref, { count: FIRST_MESSAGES })).chat;
    const unread = chatItems.filter((item) => isReceivedMessage(item) && isUnread(item));
    watch.onEvent({
      type: "newChatItems",
      chatItems: unread.map((chatItem) => ({ chatInfo, chatItem })),
    });
  } catch (error) {
    // They stay unread: the next call returns them.
    log(`The first messages of ${ref} were not read: ${explain(error)}`);
  }
}
