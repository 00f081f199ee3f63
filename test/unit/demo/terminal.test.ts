import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { Terminal } from "../../../src/demo/screen/terminal.js";

function terminal(isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 24 });
  const lines: string[] = [];
  let ends = 0;
  const made = new Terminal({ input, output, prompt: "Alice> " });
  made.start({ onLine: (line) => lines.push(line), onEnd: () => ends++ });
  const shown = (): string => String(output.read() ?? "");
  return { made, input, lines, shown, ends: () => ends };
}

describe("a terminal that somebody types at", () => {
  it("prompts, and hands over each line", async () => {
    const { input, lines, shown } = terminal(true);
    expect(shown()).toContain("Alice> ");
    input.write("/approve 1\r");
    await new Promise(setImmediate);
    expect(lines).toEqual(["/approve 1"]);
    expect(shown()).toMatch(/Alice> [^A-Za-z]*\d*G?$/);
  });

  it("prints above the line that is being typed, and shows that again", async () => {
    const { made, input, shown } = terminal(true);
    input.write("/appr");
    await new Promise(setImmediate);
    shown();
    made.print(["a card"]);
    expect(shown()).toMatch(/^\u001b\[1G\u001b\[0Ja card\n.*Alice> \/appr/s);
  });

  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("ends with %s, and what is printed then begins a line", async (_name, key) => {
    const { made, input, ends, shown } = terminal(true);
    input.write(key);
    await new Promise(setImmediate);
    expect(ends()).toBe(1);
    made.print(["Stopped."]);
    expect(shown()).toMatch(/\nStopped\.\n$/);
  });
});

describe("a terminal that is closed while somebody types", () => {
  it("ends the input once, and throws nothing", async () => {
    const closed = () => {
      throw new Error("setRawMode EIO");
    };
    const { made, input, ends } = terminal(true);
    input.emit("error", new Error("read EIO"));
    expect(ends()).toBe(1);
    made.close();

    const tty = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => tty as unknown });
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
    let isOpen = true;
    tty.setRawMode = () => (isOpen ? tty : closed());
    let count = 0;
    const other = new Terminal({ input: tty, output, prompt: "" });
    other.start({ onLine: () => undefined, onEnd: () => count++ });
    isOpen = false;
    tty.end();
    await expect.poll(() => count, { timeout: 10_000 }).toBe(1);
    expect(() => other.close()).not.toThrow();
  });
});

describe("an input that is no terminal", () => {
  it("is read by lines, without prompts or escape codes in the output", async () => {
    const { made, input, lines, shown, ends } = terminal(false);
    input.end("one\ntwo\n");
    made.print(["a card"]);
    await expect.poll(ends, { timeout: 10_000 }).toBe(1);
    expect(lines).toEqual(["one", "two"]);
    expect(shown()).toBe("a card\n");
  });
});
