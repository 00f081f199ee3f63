import { describe, expect, it } from "vitest";
import { commandName } from "../../../src/core/errors/core-error.js";
import * as errors from "../../../src/core/errors/errors.js";
import { CoreError, explain } from "../../../src/core/errors/errors.js";
import { readTranscript } from "../../contract/transcript.js";
import { chatError, commandError, storeError } from "./fake-chat-api.js";

function recordedError(transcript: string, command: string): CoreError {
  const line = readTranscript(transcript).lines.find(({ cmd, error }) => error && cmd?.startsWith(command));
  if (!line?.cmd || !line.error) throw new Error(`No failing ${command} in ${transcript}`);
  return CoreError.from(commandName(line.cmd), chatError(line.error));
}

const from = (error: Error, command = "/_send") => CoreError.from(command, error);
const agentError = (error: object) => from(chatError({ type: "errorAgent", agentError: error }));
const plainError = (errorType: object) => from(chatError({ type: "error", errorType }));

/** Every question that answers yes or no. */
const QUESTIONS = Object.entries(errors).filter(([name]) => name.startsWith("is")) as [
  string,
  (error: unknown) => boolean,
][];

/** The errors of the recordings, with the one question each that says yes. */
const RECORDED: [name: string, error: CoreError, question: string][] = [
  ["no user", recordedError("01", "/user"), "isNoActiveUser"],
  ["no link", recordedError("01", "/_delete link"), "isGroupLinkNotFound"],
  ["no such group", recordedError("09", "/_get chat #999"), "isChatNotFound"],
  ["no such contact", recordedError("13", "/_get chat @5"), "isChatNotFound"],
  ["reading in no such group", recordedError("22", "/_read chat items #999"), "isChatNotFound"],
  ["no such item", recordedError("09", "/_get chat #3 around=999999"), "isItemNotFound"],
  ["too low a role", recordedError("13", "/_delete #3"), "isRoleTooLow"],
  ["a contact that deleted us", recordedError("13", "/_send @4"), "isContactNotReady"],
  ["a contact given up", recordedError("25", "/_send @6"), "isContactNotReady"],
  ["a used invitation", recordedError("06", "/_connect plan 1 https://127"), "isLinkGone"],
  ["an unknown name", recordedError("15", "/_connect plan 1 @nobody"), "isNameNotFound"],
  ["no link at all", recordedError("06", "/_connect plan 1 https://example.com/"), "isNotALink"],
  ["a server that is down", recordedError("24", "/_connect plan"), "isNetworkError"],
  ["a file received twice", recordedError("10", "/freceive 1"), "isAlreadyReceiving"],
  ["a file that is not there", recordedError("11", "/_send"), "isFileMissing"],
  ["a cancelled file", recordedError("21", "/freceive 3"), "isFileGone"],
  ["an item that is not editable", recordedError("23", "/_update item"), "isNotEditable"],
  ["an unknown member", recordedError("19", "/_member role #1 999"), "isMemberNotFound"],
];

describe("an error of the core", () => {
  it.each(RECORDED)("is known: %s", (_name, error, question) => {
    const yes = QUESTIONS.filter(([, ask]) => ask(error)).map(([name]) => name);
    expect(yes).toEqual([question]);
  });

  it("is none of the known when it is no error of the core", () => {
    for (const thrown of [new Error("largeMsg"), undefined, "x", { chatError: { type: "error" } }]) {
      expect(QUESTIONS.filter(([, ask]) => ask(thrown))).toEqual([]);
    }
  });

  it("says that a message is too long in three ways", () => {
    const long = [
      storeError("largeMsg"),
      chatError({ type: "error", errorType: { type: "exception", message: "large compressed message" } }),
      chatError({
        type: "error",
        errorType: { type: "internalError", message: "sendGroupMessage: expected 1 message" },
      }),
    ];
    for (const error of long) expect(errors.isTooLong(from(error))).toBe(true);
    expect(errors.isTooLong(plainError({ type: "internalError", message: "something else" }))).toBe(false);
  });

  it("tells who is no member of a group", () => {
    expect(errors.isNotMember(from(commandError("not current member")))).toBe(true);
    expect(errors.isNotMember(from(commandError("not a member")))).toBe(false);
  });

  it("takes a refused command for a bad link only where a link was asked about", () => {
    expect(errors.isNotALink(from(commandError("Failed reading: empty"), "/_connect plan"))).toBe(true);
    expect(errors.isNotALink(from(commandError("Failed reading: empty"), "/_send"))).toBe(false);
  });

  it("tells which part of a name the core takes", () => {
    const refused = { type: "invalidDisplayName", displayName: "@x", validName: "x" };
    expect(errors.validName(plainError(refused))).toBe("x");
    expect(errors.validName(plainError({ type: "noActiveUser" }))).toBe(undefined);
  });

  it("names the servers that were not approved", () => {
    const servers = ["xftp://a=@files.example:7002"];
    expect(errors.unknownServers(plainError({ type: "fileNotApproved", unknownServers: servers }))).toEqual(
      servers,
    );
    expect(errors.unknownServers(plainError({ type: "noActiveUser" }))).toEqual([]);
  });

  it("is fatal when the core, its library or its database works no more", () => {
    const fatal = [
      from(new Error("chat api controller not initialized")),
      agentError({ type: "CRITICAL", offerRestart: true, criticalErr: "database or disk is full" }),
      from(
        storeError("dBException", { message: "SQLite3 returned ErrorFull while attempting to perform step" }),
      ),
      from(storeError("dBException", { message: "disk I/O error" })),
      from(chatError({ type: "errorDatabase", databaseError: { type: "errorOpen" } })),
      plainError({ type: "chatNotStarted" }),
      agentError({
        type: "INTERNAL",
        internalErr: "SQLite3 returned ErrorFull while attempting to perform step",
      }),
    ];
    for (const error of fatal) expect(errors.isFatal(error), error.message).toBe(true);
    const passing = [
      from(storeError("dBBusyError", { message: "SQLite3 returned ErrorBusy" })),
      // Another program holds the agent's database.
      agentError({ type: "CRITICAL", offerRestart: true, criticalErr: "SQLite3 returned ErrorBusy" }),
      agentError({ type: "INTERNAL", internalErr: "something else" }),
      from(storeError("dBException", { message: 'near "SELEC": syntax error' })),
      from(storeError("largeMsg")),
      // One answer that the library could not parse.
      from(Object.assign(new Error("Chat error"), { chatError: undefined })),
    ];
    for (const error of passing) expect(errors.isFatal(error), error.message).toBe(false);
  });

  it("has a message for an operator, with the host of the server and without names of files or people", () => {
    expect(recordedError("24", "/_connect plan").message).toBe("SimpleX core: BROKER NETWORK at 127.0.0.1");
    expect(recordedError("06", "/_connect plan 1 https://127").message).toBe(
      "SimpleX core: SMP AUTH at 127.0.0.1",
    );
    expect(recordedError("10", "/freceive 1").message).toBe("SimpleX core: file already receiving");
    expect(agentError({ type: "CRITICAL", offerRestart: true, criticalErr: "disk is full" }).message).toBe(
      "SimpleX core: disk is full",
    );
    expect(from(commandError("Failed reading: empty"), "/_get chat").message).toBe(
      "SimpleX core: /_get chat was not understood",
    );
  });

  it("keeps the command's own words and never an argument", () => {
    const names = {
      '/_send #1 json [{"msgContent":{"type":"text","text":"secret"}}]': "/_send",
      "/_get chat #3 count=1 search=secret": "/_get chat",
      "/_read chat items #1 5": "/_read chat items",
      "/_connect plan 1 https://x/a#k": "/_connect plan",
      "/_connect 1 incognito=off simplex:/x": "/_connect",
      "/sql agent SELECT 1": "/sql agent",
      "/_temp_folder secret": "/_temp_folder",
      "no command": "",
    };
    for (const [command, name] of Object.entries(names)) expect(commandName(command)).toBe(name);
  });

  it("keeps what the library threw as its cause", () => {
    const cause = storeError("largeMsg");
    expect(from(cause)).toMatchObject({ cause, command: "/_send", chatError: { type: "errorStore" } });
  });
});

describe("the explanation of an error", () => {
  it("says what an agent can do", () => {
    expect(explain(recordedError("06", "/_connect plan 1 https://127"))).toBe(
      "The link is gone: it was deleted or used already, so ask for a new one.",
    );
    expect(explain(from(commandError("feature not allowed Files and media")))).toBe(
      "This chat does not allow it: Files and media.",
    );
    expect(
      explain(
        CoreError.from("/_connect plan", commandError("chat relay links are not supported in this version")),
      ),
    ).toBe("This kind of link is not supported: ask for another link.");
  });

  it("is the message where nothing better is known", () => {
    expect(explain(from(commandError("odd")))).toBe("SimpleX core: odd.");
    expect(explain(new Error("plain"))).toBe("plain");
    expect(explain("thrown")).toBe("thrown");
  });
});
