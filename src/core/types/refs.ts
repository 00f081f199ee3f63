/** `@4` (contact 4) or `#15` (group 15). */
export type ChatRef = `@${number}` | `#${number}`;

/** The reference in `text`, or undefined when it is none. */
export function parseChatRef(text: string): ChatRef | undefined {
  const match = /^([@#])([1-9]\d{0,14})$/.exec(text);
  if (!match) return undefined;
  const id = Number(match[2]);
  return match[1] === "@" ? `@${id}` : `#${id}`;
}
