/** A bubble of the control chat -> lines of the terminal, as the app would show it. Pure. */

import { type Format, parseMarkdown } from "../../simulator/text/markdown.js";
import { formatSize, formatTime } from "../../text/format.js";
import type { Bubble } from "./bubble.js";
import { type Line, type Span, type Style, span, wrap } from "./style.js";

export interface RenderOptions {
  /** Without colours a code span keeps its backticks, so that it is never taken for a command. */
  readonly colour: boolean;
  /** Columns. */
  readonly width: number;
  /** Milliseconds since 1970: times of another day get a date. */
  readonly now: number;
  readonly timeZone?: string;
  /** What stands before each line of the text: a bar, where nothing is given. */
  readonly margin?: string;
}

/** Who wrote it and when, then the text behind a margin. */
export function renderBubble(bubble: Bubble, options: RenderOptions): Line[] {
  const { width, now, timeZone, margin = "│ " } = options;
  if (bubble.kind === "notice") return wrap([span(`· ${bubble.text}`, "dim")], width);
  const { author, time, edited, text, file } = bubble;
  const when = `  ${formatTime(time, now, timeZone)}${edited ? ", edited" : ""}`;
  const head = [span(author, "strong"), span(when, "dim")];
  const shownFile = file ? [[span(`[file ${file.name}, ${formatSize(file.size)}]`, "strong")]] : [];
  const body = [...shownFile, ...(text === "" ? [] : messageLines(text, options.colour))];
  return [
    ...wrap(head, width),
    ...body.flatMap((line) =>
      wrap(line, width - margin.length).map((part) => [span(margin, "dim"), ...part]),
    ),
  ];
}

/** A message's lines with its markdown as the apps show it, not wrapped. */
export function messageLines(text: string, colour: boolean): Line[] {
  const lines: Span[][] = [[]];
  for (const { format, text: fragment } of parseMarkdown(text) ?? [{ text }]) {
    fragment.split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push(formatted(part, format, colour));
    });
  }
  return lines;
}

function formatted(text: string, format: Format | undefined, colour: boolean): Span {
  switch (format?.type) {
    case "command":
      // The apps leave out the quotation marks of `/'approve 1'`.
      return span(`/${format.commandStr}`, "command");
    case "snippet":
      return span(colour ? text : `\`${text}\``, "code");
    case "simplexName":
    case "simplexLink":
    case "hyperLink":
    case "uri":
      return span(text, "link");
    default:
      return span(text, STYLES[format?.type ?? ""] ?? "plain");
  }
}

const STYLES: Readonly<Record<string, Style>> = {
  bold: "strong",
  small: "dim",
  email: "link",
  mention: "strong",
};
