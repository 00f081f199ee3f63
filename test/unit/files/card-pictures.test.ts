import { describe, expect, test } from "vitest";
import type { DownloadFields, SendFields } from "../../../src/actions/action.js";
import { cardOverflow, cardPicture, pictureRoom } from "../../../src/control/texts/cards.js";
import { textTooLong } from "../../../src/control/texts/size.js";
import { bytesLeft, bytesTooLong } from "../../../src/core/limits.js";
import { isPicture } from "../../../src/files/pictures/images.js";

const chat = { chat: "#15" as const, kind: "group" as const, name: "Trail" };
const picture = (length: number) => "data:image/jpg;base64,".padEnd(length, "A");
const send = (preview?: string, text = "trail map"): SendFields => ({
  tool: "send",
  ...chat,
  text,
  mentions: [],
  file: { path: "/home/alice/trail.jpg", size: 1000, type: "image", ...(preview ? { preview } : {}) },
});
const download = (preview: string): DownloadFields => ({
  tool: "download",
  ...chat,
  item: 30,
  member: "Switchback",
  file: { name: "a.jpg", size: 1, preview },
  unknownServers: [],
});

describe("the picture of a card", () => {
  test("is the preview of what is sent or offered", () => {
    expect(cardPicture(send(picture(100)))).toBe(picture(100));
    expect(cardPicture(download(picture(100)))).toBe(picture(100));
    expect(cardPicture(send())).toBeUndefined();
    expect(cardPicture({ tool: "leave", ...chat })).toBeUndefined();
  });

  test.each([
    ["data:image/jpg;base64,/9j/4AAQ", true],
    ["data:image/png;base64,iVBORw0KGgo=", true],
    ["", false],
    ["data:image/jpg;base64,", false],
    ["data:image/svg+xml;base64,AAAA", false],
    ["data:image/jpg;base64,AA AA", false],
    ["data:text/html;base64,AAAA", false],
    ["https://evil.example/a.jpg", false],
    ["data:image/jpg;base64,AAAA\n/approve 1", false],
  ])("can only be a picture: %j", (text, is) => {
    expect(isPicture(text)).toBe(is);
    expect(cardPicture(download(text)) !== undefined).toBe(is);
  });

  test("has exactly the room that the card leaves in its longest state", () => {
    const room = pictureRoom(send(), textTooLong);
    expect(room).toBeGreaterThan(10_000);
    expect(cardOverflow(send(picture(room)), textTooLong)).toBe(0);
    expect(cardOverflow(send(picture(room + 1)), textTooLong)).toBe(1);
  });

  test("has none where the text fills the card", () => {
    expect(pictureRoom(send(undefined, "x".repeat(15_000)), textTooLong)).toBeLessThan(0);
  });
});

test("room and excess are two sides of one size", () => {
  const message = (length: number) => ({
    chat: "group" as const,
    content: { type: "image", text: "", image: picture(length) },
  });
  const room = bytesLeft(message(100));
  expect(bytesLeft(message(100 + room))).toBe(0);
  expect(bytesTooLong(message(100 + room))).toBe(0);
  expect(bytesTooLong(message(101 + room))).toBe(1);
  expect(bytesLeft(message(101 + room))).toBe(-1);
});
