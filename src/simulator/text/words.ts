/** What the core takes a single word of a message for. */

const PUNCTUATION = /^\p{P}$/u;

/** Cuts the trailing punctuation off a word, up to the first of the characters that are `kept`. */
export function withoutEnding(word: string, kept = ""): [word: string, ending: string] {
  let end = word.length;
  while (end > 0) {
    const last = word.codePointAt(end - 1) ?? 0;
    const pair = last >= 0xdc00 && last <= 0xdfff && end > 1 ? (word.codePointAt(end - 2) ?? 0) : 0;
    const char = String.fromCodePoint(pair > 0xffff ? pair : last);
    if (!PUNCTUATION.test(char) || kept.includes(char)) break;
    end -= char.length;
  }
  return [word.slice(0, end), word.slice(end)];
}

/** Path characters are those of RFC 3986, a query may hold any but `&` and `#` between its separators. */
const WEB_URI =
  /^https?:\/\/(?:[\w.~!$&'()*+,;=:%-]*@)?([\w.~!$&'()*+,;=%-]+)(?::\d*)?(?:\/[\w.~!$&'()*+,;=:@%/-]*)?(?:\?[^#]*)?(?:#[\w.~!$&'()*+,;=:@%/?-]*)?$/;

/** An http(s) URI whose host has a dot. */
export function isWebUri(text: string): boolean {
  return WEB_URI.exec(text)?.[1]?.includes(".") ?? false;
}

/** `index.ts`, `www.example.com`: what looks like a domain, file names included. */
export function isDomain(text: string): boolean {
  return /^(?:[A-Za-z]{3,8}\.)?[A-Za-z]{1,24}\.[A-Za-z]{2,8}$/.test(text);
}

const EMAIL_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const EMAIL = new RegExp(
  `^[A-Za-z0-9!#$%&'*+/=?^_\`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_\`{|}~-]+)*@(${EMAIL_LABEL}(?:\\.${EMAIL_LABEL})*)$`,
);

export function isEmail(text: string): boolean {
  const at = text.indexOf("@");
  return at > 0 && at <= 64 && text.length - at <= 254 && EMAIL.test(text);
}
