import { expect, test } from "vitest";
import { nextStep } from "../../../src/files/downloads/offered-file.js";
import { chatItem } from "../messages/make.js";

const offered = (fileStatus: object, meta: object = {}) =>
  chatItem(30, {
    meta,
    content: { type: "rcvMsgContent", msgContent: { type: "file", text: "" } },
    file: {
      fileId: 7,
      fileName: "report.pdf",
      fileSize: 10,
      // Stays there after a refusal and a cancellation.
      fileSource: { filePath: "/data/7.pdf" },
      fileStatus,
      fileProtocol: "xftp",
    },
  });

test.each([
  [{ type: "rcvInvitation" }, { step: "receive" }],
  [{ type: "rcvAborted" }, { step: "receive" }],
  [{ type: "rcvAccepted" }, { step: "wait", received: 0, total: 0 }],
  [
    { type: "rcvTransfer", rcvProgress: 4, rcvTotal: 9 },
    { step: "wait", received: 4, total: 9 },
  ],
  [
    { type: "rcvWarning", rcvFileError: { type: "relay" } },
    { step: "wait", received: 0, total: 0 },
  ],
  [{ type: "rcvComplete" }, { step: "complete", path: "/data/7.pdf" }],
  [{ type: "rcvCancelled" }, { step: "failed", why: "The sender cancelled the file." }],
  [
    { type: "rcvError", rcvFileError: { type: "auth" } },
    { step: "failed", why: expect.stringContaining("gone from its server") },
  ],
  [
    { type: "rcvError", rcvFileError: { type: "noFile" } },
    { step: "failed", why: expect.stringContaining("gone from its server") },
  ],
  [
    { type: "rcvError", rcvFileError: { type: "blocked", server: "x" } },
    { step: "failed", why: "The file was blocked by its server." },
  ],
  [
    { type: "rcvError", rcvFileError: { type: "relay", srvError: {} } },
    { step: "failed", why: expect.stringContaining("cannot be reached") },
  ],
  [{ type: "rcvError" }, { step: "failed", why: "The download failed. Ask for the file to be sent again." }],
  [{ type: "newer" }, { step: "failed", why: "The file cannot be received: it is in state newer." }],
])("a file in state %j asks for %j", (status, step) => {
  expect(nextStep(offered(status))).toEqual(step);
});

test("a deleted message ends its download, but a file that is here stays", () => {
  const deleted = { itemDeleted: { type: "deleted" } };
  const failed = { step: "failed", why: "The message with the file was deleted." };
  expect(nextStep(offered({ type: "rcvTransfer" }, deleted))).toEqual(failed);
  expect(nextStep(offered({ type: "rcvComplete" }, deleted))).toMatchObject({ step: "complete" });
  expect(nextStep(undefined)).toEqual(failed);
});
