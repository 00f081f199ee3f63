/** A text that shows nothing: empty, or only blanks and line breaks. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Names that need no quotation marks in a mention: nothing in them ends it, or makes it something else. */
const PLAIN_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?$/u;
const QUOTABLE_NAME = /^[^\s#@'][^'\p{Cc}]*$/u;

/** How a member is mentioned in a text, or undefined for a name that no mention can have. */
export function mentionText(name: string): string | undefined {
  if (PLAIN_NAME.test(name)) return `@${name}`;
  return QUOTABLE_NAME.test(name) && !/\s$/.test(name) ? `@'${name}'` : undefined;
}

/**
 * The text with every mention in it. One counts as there when it stands alone on a line without marks that could
 * make it code or bold; all others are put in front, where nothing can be before them.
 */
export function withMentions(text: string, mentions: readonly string[]): string {
  const missing = mentions.filter((mention) => !isMentioned(text, mention));
  return missing.length === 0 ? text : `${missing.join(" ")} ${text}`;
}

/** Whether the mention stands in the text so that the apps read it as one. */
export function isMentioned(text: string, mention: string): boolean {
  return text.split("\n").some((line) => {
    const start = line.indexOf(mention);
    if (start < 0 || /[`*_~#!]/.test(line.slice(0, start))) return false;
    const before = line[start - 1];
    const after = line.slice(start + mention.length);
    return (before === undefined || before === " ") && /^(?:$| |[.,;:?!](?:$| ))/.test(after);
  });
}
