import { describe, expect, it } from "vitest";
import { type FormattedText, hasLink, parseMarkdown } from "../../src/simulator/text/markdown.js";
import { readTranscript, transcriptNames } from "./transcript.js";

interface Shown {
  text: string;
  formattedText?: FormattedText[];
}

/** Every item anywhere in `value`, and every quote: texts with the fragments the core made of them. */
function* shownTexts(value: unknown): Generator<Shown> {
  if (Array.isArray(value)) for (const element of value) yield* shownTexts(element);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const item = value as { meta?: { itemText?: string }; content?: { type?: string } };
  const message = item.content?.type?.endsWith("MsgContent");
  // A voice message's text names its length too.
  const content = (value as { content?: { msgContent?: { text?: string } } }).content?.msgContent;
  if (message && item.meta?.itemText === content?.text) {
    yield { ...(value as object), text: content?.text ?? "" };
  }
  for (const field of Object.values(value)) yield* shownTexts(field);
}

describe("markdown as the core parses it", () => {
  const { lines } = readTranscript("16");
  for (const line of lines) {
    if (typeof line.text !== "string" || line.sendError !== undefined || line.mentions !== undefined)
      continue;
    it(`reads ${JSON.stringify(line.text)}`, () => {
      const formatted = parseMarkdown(String(line.text));
      expect(formatted).toEqual(line.formattedText);
      expect(hasLink(formatted)).toBe(line.hasLink);
    });
  }

  it("reads every message of the other recordings", () => {
    let formatted = 0;
    for (const name of transcriptNames()) {
      for (const line of readTranscript(name).lines) {
        for (const shown of shownTexts(line)) {
          expect(parseMarkdown(shown.text), JSON.stringify(shown.text.slice(0, 200))).toEqual(
            shown.formattedText,
          );
          if (shown.formattedText !== undefined) formatted++;
        }
      }
    }
    expect(formatted).toBeGreaterThan(100);
  });

  it("reads names as mentions only where they can be written so", () => {
    let quoted = 0;
    for (const line of readTranscript("17").lines) {
      // The name of 1000 characters is cut in the recording.
      if (line.probe !== "mention" || line.quotedError !== undefined || String(line.key).length > 120)
        continue;
      expect(parseMarkdown(`@'${line.key}' hello`)).toEqual(line.quotedFormatted);
      quoted++;
    }
    expect(quoted).toBeGreaterThan(15);
  });

  it("reads 15,000 marks in a fraction of a second", () => {
    const started = performance.now();
    for (const mark of [
      "[ ",
      "[](",
      "*",
      "* ",
      "@' ",
      "/' ",
      "# ",
      "!r ",
      "_ `",
      "a.",
      "1 ",
      "@'",
      "...",
      "!- a ",
    ]) {
      parseMarkdown(mark.repeat(15_000 / mark.length));
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
