import { describe, expect, it } from "vitest";
import { CoreError } from "../../../src/core/errors/errors.js";
import { EventQueue } from "../../../src/core/events.js";
import type { ChatEvent } from "../../../src/core/types.js";

const message = (errorMessage: string) => ({ type: "messageError", severity: "warning", errorMessage });
const textOf = (event: ChatEvent) => (event.type === "messageError" ? event.errorMessage : event.type);

/** A queue that takes note of what is handled; an event called `block` lasts until `release`. */
function queueWithNotes() {
  const handled: string[] = [];
  const errors: unknown[] = [];
  let release = () => {};
  const queue = new EventQueue(
    async (event) => {
      const text = textOf(event);
      handled.push(text);
      if (text === "throw") throw new Error("a handler's defect");
      if (text === "block") {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        handled.push("unblocked");
      }
    },
    (error) => errors.push(error),
  );
  return { queue, handled, errors, release: () => release() };
}

describe("the event queue", () => {
  it("holds the events until it is opened, then handles them in their order", async () => {
    const { queue, handled } = queueWithNotes();
    for (const text of ["a", "b", "c"]) queue.push(message(text));
    await queue.idle();
    expect(handled).toEqual([]);
    queue.open();
    queue.push(message("d"));
    await queue.idle();
    expect(handled).toEqual(["a", "b", "c", "d"]);
  });

  it("returns to the library before it handles anything", async () => {
    const { queue, handled } = queueWithNotes();
    queue.open();
    queue.push(message("a"));
    expect(handled).toEqual([]);
    await queue.idle();
    expect(handled).toEqual(["a"]);
  });

  it("handles one event at a time", async () => {
    const { queue, handled, release } = queueWithNotes();
    queue.open();
    queue.push(message("block"));
    queue.push(message("after"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(handled).toEqual(["block"]);
    release();
    await queue.idle();
    expect(handled).toEqual(["block", "unblocked", "after"]);
  });

  it("goes on after a handler that throws, and after an event of the wrong shape, and tells both", async () => {
    const { queue, handled, errors } = queueWithNotes();
    queue.open();
    queue.push(message("throw"));
    queue.push({ type: "messageError", severity: "warning" });
    queue.push(message("after"));
    await queue.idle();
    expect(handled).toEqual(["throw", "after"]);
    expect(errors[0]).toMatchObject({ message: "a handler's defect" });
    expect(errors[1]).toBeInstanceOf(CoreError);
    expect(errors[1]).toMatchObject({
      message: "SimpleX core: event messageError could not be read at errorMessage",
    });
    expect(errors.length).toBe(2);
  });

  it("handles what can be read of an event, and tells of the rest", async () => {
    const { queue, handled, errors } = queueWithNotes();
    queue.open();
    queue.push({ type: "newChatItems", chatItems: [5, {}] });
    await queue.idle();
    expect(handled).toEqual(["newChatItems"]);
    expect(errors).toEqual([
      expect.objectContaining({
        message: "SimpleX core: 2 of what event newChatItems is about could not be read",
      }),
    ]);
  });

  it("passes over events that nothing reads", async () => {
    const { queue, handled, errors } = queueWithNotes();
    queue.open();
    queue.push({ type: "hostConnected", protocol: "smp" });
    await queue.idle();
    expect([handled, errors]).toEqual([[], []]);
  });

  it("drops what waits when it is closed, and what comes later", async () => {
    const { queue, handled, release } = queueWithNotes();
    queue.open();
    queue.push(message("block"));
    queue.push(message("waiting"));
    await new Promise((resolve) => setImmediate(resolve));
    queue.close();
    queue.push(message("late"));
    queue.open();
    release();
    await queue.idle();
    expect(handled).toEqual(["block", "unblocked"]);
  });
});
