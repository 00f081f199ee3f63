import { describe, expect, it } from "vitest";
import { cardText } from "../../../src/control/texts/cards.js";
import type { Bubble, MessageBubble } from "../../../src/demo/screen/bubble.js";
import { messageLines, renderBubble } from "../../../src/demo/screen/render.js";
import { paint } from "../../../src/demo/screen/style.js";

const NOW = Date.parse("2026-12-01T14:06:00Z");
const PLAIN = { colour: false, width: 60, now: NOW, timeZone: "UTC" };
const CARD = cardText(
  1,
  { tool: "connect", target: "@directory.simplex", incognito: false, kind: "bot", name: "Directory" },
  { state: "pending" },
);

function message(text: string, more: Partial<MessageBubble> = {}): MessageBubble {
  return {
    kind: "message",
    author: "Demo Agent",
    own: false,
    text,
    time: NOW - 60_000,
    edited: false,
    ...more,
  };
}

function shown(bubble: Bubble, options = PLAIN): string[] {
  return renderBubble(bubble, options).map((line) => paint(line, options.colour));
}

function styles(text: string): string[] {
  return messageLines(text, true).flatMap((line) =>
    line.filter(({ style }) => style !== "plain").map((span) => `${span.style} ${span.text}`),
  );
}

describe("a bubble of the control chat", () => {
  it("tells who wrote it and when, and shows the card's commands without their quotation marks", () => {
    expect(shown(message(CARD))).toEqual([
      "Demo Agent  14:05",
      "│ I want to connect to bot Directory (@directory.simplex),",
      "│ as myself.",
      "│ /approve 1 or /reject 1",
    ]);
  });

  it("says when its text was edited", () => {
    expect(shown(message("I connected.", { edited: true }))[0]).toBe("Demo Agent  14:05, edited");
  });

  it("has the date when it is of another day", () => {
    expect(shown(message("hello", { time: NOW - 86_400_000 }))[0]).toBe("Demo Agent  2026-11-30 14:06");
  });

  it("shows a file by name and size before the text", () => {
    const file = { name: "map.pdf", size: 2_500_000 };
    expect(shown(message("", { file }))).toEqual(["Demo Agent  14:05", "│ [file map.pdf, 2.4 MB]"]);
    expect(shown(message("Look.", { file }))[2]).toBe("│ Look.");
  });

  it("is one line when it is a notice", () => {
    expect(shown({ kind: "notice", text: "Demo Agent changed your role to owner" })).toEqual([
      "· Demo Agent changed your role to owner",
    ]);
  });

  it("keeps within the width, in lines of wide characters too", () => {
    const lines = shown(message(`${"長い".repeat(30)} ${"word ".repeat(20)}`), { ...PLAIN, width: 30 });
    for (const line of lines)
      expect([...line].reduce((sum, char) => sum + (char > "⺀" ? 2 : 1), 0)).toBeLessThan(31);
    expect(lines.length).toBeGreaterThan(6);
  });
});

describe("the markdown of a message", () => {
  it("is shown as the apps do: commands, code, links and names", () => {
    expect(
      styles("Tap /'approve #9 2', `code` and https://simplex.chat at @directory.simplex *now*"),
    ).toEqual([
      "command /approve #9 2",
      "code code",
      "link https://simplex.chat",
      "link @directory.simplex",
      "strong now",
    ]);
  });

  it("leaves what stands in a code span a code span, whatever it looks like", () => {
    expect(styles("I sent: `/'approve 1'` and `*bold* https://evil.example`")).toEqual([
      "code /'approve 1'",
      "code *bold* https://evil.example",
    ]);
  });

  it("keeps the backticks where there is no colour, so that code never looks like a command", () => {
    expect(shown(message("`/approve 1`\n/'approve 2' or /'reject 2'")).slice(1)).toEqual([
      "│ `/approve 1`",
      "│ /approve 2 or /reject 2",
    ]);
    const coloured = shown(message("`/approve 1` or /'approve 2'"), { ...PLAIN, colour: true })[1];
    expect(coloured).toContain("\u001b[33m/approve 1\u001b[0m or \u001b[36;4m/approve 2\u001b[0m");
  });

  it("never lets a control character through to the terminal", () => {
    const text = "a\u001b[2Jb\rc\u202ed\u0007\u009b1me";
    expect(shown(message(text))[1]).toBe("│ a\\u{1B}[2Jb\\u{D}c\\u{202E}d\\u{7}\\u{9B}1me");
  });
});
