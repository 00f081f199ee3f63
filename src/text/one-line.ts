/** Text of unknown origin as one line: a line break or an escape sequence in it cannot pass for a line of ours. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}
