/** The words and signs with which the server speaks in the control chat. A name that has one could pass for its words. */
import { looksOf } from "./look-alike.js";

/** Whoever writes a new text there adds its words; a test finds those that are missing. */
const WORDS = `
  a action actions add added address adds admin again agent agents all allow allowed am an and another answer answered
  answers any anybody approval approve approved approves approving are as ask asked asking asks at attaching author
  back be before bot both business by byte bytes
  can can't cancelled cannot change changed channel character characters chat chats choice code command commands computer
  connect connected connecting connection connections contact copy could
  delete deleted deletes deleting did do does done download downloaded downloads
  each edit edited everyone expired
  failed file files first for forward forwarded frame from
  gb goes group
  had has have help here host hosts
  i image in incognito interrupted into invitation invite invited invites is it its
  join joined joins
  kb kept known
  leave leaving left let link links list listed longer
  made make mb me member members mentioning message messages minute minutes mode moderator more my myself
  name named need needs next no nobody none not nothing now number
  observer of off one ones or out owner owners
  paused pending people performed performing permission person picture plain program
  react reaction read receive received refuse refused reject rejected relay remain remove removed replaced reply
  replying report reported request requested requests restart resume resumed revoke role
  same saved send sends sent server servers showing shown since so start stop stopped stops such
  take taken tap text than that the then there these this time times to told too try
  unknown unread until unused use used uses
  video voice
  wait waiting waits want wanted wants was which whoever with without write wrote
  yes yet you your
`;

const WORD_SET: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
const LOOKS: ReadonlySet<string> = new Set([...WORD_SET].flatMap((word) => [...looksOf(word)]));

/**
 * Emoji that say something was allowed, refused, checked, warned of, locked or pointed at, as programs do: marks, signs,
 * arrows, letters in boxes, buttons, coloured dots.
 */
const SIGN =
  /^[\u00A9\u00AE\u203C\u2049\u2100-\u214F\u2190-\u21FF\u2300-\u23FF\u2460-\u25FF\u2611\u267E\u267F\u2692-\u2697\u2699-\u269C\u26A0\u26A1\u26AA\u26AB\u26D4\u2705\u2714\u2716\u2733\u2734\u2747\u274C\u274E\u2753-\u2757\u2795-\u2797\u27A1\u27B0\u27BF\u2934\u2935\u2B05-\u2B07\u2B1B\u2B1C\u2B55\u3030\u303D\u3297\u3299\u{1F170}-\u{1F19A}\u{1F200}-\u{1F265}\u{1F4DB}\u{1F4E3}-\u{1F4E9}\u{1F500}-\u{1F513}\u{1F517}-\u{1F524}\u{1F52F}-\u{1F53D}\u{1F5D1}\u{1F5E8}\u{1F5EF}\u{1F5F3}\u{1F6A9}-\u{1F6AF}\u{1F6B1}\u{1F6B3}\u{1F6B7}\u{1F6B8}\u{1F6D1}\u{1F6E1}\u{1F7E0}-\u{1F7EB}\u{1F7F0}]/u;

/** Whether an emoji is a sign rather than a picture. */
export function isSign(emoji: string): boolean {
  return SIGN.test(emoji);
}

/** Whether a text has a word of the server, or one that looks like it. Digits alone are none. */
export function hasServerWord(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? [];
  return words.some((word) => !/^\p{Nd}+$/u.test(word) && [...looksOf(word)].some((look) => LOOKS.has(look)));
}

/** Whether this is one of the words as they are. */
export function isServerWord(word: string): boolean {
  return WORD_SET.has(word.toLowerCase());
}
