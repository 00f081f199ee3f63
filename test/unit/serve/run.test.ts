import { expect, it, onTestFinished, vi } from "vitest";
import { untilStopped } from "../../../src/serve/run.js";
import { StopSignals } from "../../../src/terminal/stop-signals.js";

it("urges the server to stop at a further signal, and leaves it at one more", async () => {
  const signals = new StopSignals(() => undefined);
  onTestFinished(() => signals.close());
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const log = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  onTestFinished(() => {
    exit.mockRestore();
    log.mockRestore();
  });
  const stop = vi.fn(() => new Promise<void>(() => undefined));
  const stopNow = vi.fn();
  const failed = Promise.resolve("The core is gone.");
  void untilStopped({ url: "", port: 0, token: "", failed, stop, stopNow }, signals);
  await vi.waitFor(() => expect(stop).toHaveBeenCalled());

  signals.onFurther();
  expect([stopNow.mock.calls.length, exit.mock.calls.length]).toEqual([1, 0]);
  signals.onFurther();
  expect([stopNow.mock.calls.length, exit.mock.calls]).toEqual([1, [[1]]]);
});
