import { expect, test } from "vitest";
import { PrivateKeys } from "../../../src/files/outgoing/private-keys.js";

/** Whether a key is found in the text, given in blocks of so many bytes. */
function found(content: string | Buffer, blockBytes = 1 << 20): boolean {
  const keys = new PrivateKeys();
  const bytes = Buffer.from(content);
  const block = Buffer.alloc(blockBytes);
  for (let at = 0; at < bytes.length; at += blockBytes) {
    // Written over each time, as when a file is read.
    const length = bytes.copy(block, 0, at, at + blockBytes);
    keys.add(block.subarray(0, length));
  }
  return keys.found;
}

const KEYS: readonly string[] = [
  "-----BEGIN PRIVATE KEY-----\nMIIE",
  "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED",
  "-----BEGIN EC PRIVATE KEY-----",
  "-----BEGIN ENCRYPTED PRIVATE KEY-----",
  "-----BEGIN OPENSSH PRIVATE KEY-----",
  "-----BEGIN PGP PRIVATE KEY BLOCK-----",
  "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----",
  "PuTTY-User-Key-File-2: ssh-rsa",
  "AGE-SECRET-KEY-1QQQQ",
  '{"private_key": "-----BEGIN PRIVATE KEY-----\\nMIIE"}',
];

test.each(KEYS)("a private key is one wherever it stands: %s", (key) => {
  expect(found(key)).toBe(true);
  expect(found(`-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n${key}`)).toBe(true);
  expect(found(Buffer.from(`\uFEFF${key}`, "utf16le"))).toBe(true);
  for (const before of [0, 1, 100, 1000, 5000]) {
    for (const blockBytes of [1, 7, 64, 1000]) {
      expect(found(`${"x".repeat(before)}\n${key}`, blockBytes)).toBe(true);
    }
  }
});

test.each([
  "-----BEGIN CERTIFICATE-----",
  "-----BEGIN PUBLIC KEY-----",
  "a text about a PRIVATE KEY, which begins with dashes -----",
  "PuTTY-User-Key-File",
  "AGE-SECRET-KEY-1",
  "",
])("this is none: %s", (text) => {
  expect(found(text)).toBe(false);
  expect(found(text, 3)).toBe(false);
});
