import { describe, expect, it } from "vitest";
import { ChatItemsWatch } from "../../../src/messages/watch.js";
import type { AgentDeps } from "../../../src/tools/call/agent.js";
import type { ToolCall } from "../../../src/tools/call/call.js";
import { waitForReplies } from "../../../src/tools/call/replies.js";
import { settle } from "../actions/support.js";
import { contactInfo, itemIn } from "../messages/make.js";
import { FakeClock } from "../server/support.js";

describe("the wait for replies", () => {
  it("that starts after the first message is idle from its own start on", async () => {
    const clock = new FakeClock();
    const watch = new ChatItemsWatch(clock);
    const collected = watch.collect("@4");
    // A welcome message, before the connection is made.
    watch.onEvent({ type: "newChatItems", chatItems: [itemIn(contactInfo(4), 1)] });
    clock.advance(5_000);
    let over = false;
    const call = { signal: new AbortController().signal, progress: () => undefined };
    const wait = { chat: "@4", base: 0, wait: 60_000, idle: 10_000, idleFrom: clock.elapsed() } as const;
    const waiting = waitForReplies(
      { clock } as unknown as AgentDeps,
      collected,
      call as unknown as ToolCall,
      wait,
    );
    void waiting.then(() => {
      over = true;
    });
    clock.advance(9_999);
    await settle();
    expect(over).toBe(false);
    clock.advance(1);
    await waiting;
  });
});
