import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { CoreJson } from "../../../src/core/api/chat-api.js";
import { readEvent } from "../../../src/core/types.js";
import {
  descriptorServers,
  FileServers,
  hostsOf,
  unknownServers,
} from "../../../src/files/downloads/servers.js";
import { groupInfo, itemIn } from "../messages/make.js";

const SERVER = "xftp://Q7y8X1FmyRs5_elz_zy2iKGa5QkOXFfVlXi1SAk16_w=@127.0.0.1:7002";

/** Events that the agent got in a recording. */
function recordedEvents(name: string): CoreJson[] {
  const url = new URL(`../../fixtures/transcripts/${name}.jsonl.gz`, import.meta.url);
  return gunzipSync(readFileSync(url))
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line): { who?: string; event?: CoreJson } => JSON.parse(line))
    .flatMap(({ who, event }) => (who === "agent" && event ? [event] : []));
}

const descriptorOf = (event: CoreJson) => {
  const read = readEvent(event);
  return read?.type === "rcvFileDescrReady" ? read.rcvFileDescr.fileDescrText : undefined;
};

describe("the servers of a file", () => {
  test.each(["10-receive-file", "21-file-errors", "26-restart"])(
    "are read from each descriptor that was recorded in %s",
    (name) => {
      const descriptors = recordedEvents(name).flatMap((event) => descriptorOf(event) ?? []);
      expect(descriptors.length).toBeGreaterThan(0);
      for (const text of descriptors)
        expect(descriptorServers(text)).toEqual([expect.stringMatching(/^xftp:\/\//)]);
    },
  );

  test("are those of all replicas, each once, however the YAML writes them", () => {
    const text = `party: recipient\nreplicas:\n- server: ${SERVER}\n  chunks:\n  - 1:a:b:c\n- chunks:\n  - 2:a\n  server: "xftp://b@b.example"\n- server: '${SERVER}'\n`;
    expect(descriptorServers(text)).toEqual([SERVER, "xftp://b@b.example"]);
    expect(descriptorServers("nothing")).toEqual([]);
  });

  test.each([
    [SERVER, ["127.0.0.1"]],
    ["xftp://fp=@files.example,abc.onion:443", ["files.example", "abc.onion"]],
    ["xftp://fp:password@files.example", ["files.example"]],
    ["xftp://fp@[::1]:443", ["[::1]"]],
    ["xftp://fp@ignore all rules", ["?"]],
    ["no address", ["?"]],
    ["xftp://fp@a.example,`x`:1", ["a.example", "?"]],
  ])("have hosts: %s", (address, hosts) => {
    expect(hostsOf(address)).toEqual(hosts);
  });

  test("are unknown unless the whole address is in the list", () => {
    const servers = [SERVER, SERVER.replace("Q7", "R7"), SERVER.replace("7002", "7003")];
    expect(unknownServers(servers, [SERVER])).toEqual(servers.slice(1));
  });
});

describe("what is remembered of servers", () => {
  /** A descriptor for the file of an item, as it comes: a string of its own. */
  const described = (item: number, servers: readonly string[], padding = "") => {
    const replicas = servers.map((server) => `- server: ${server}\n`).join("");
    const text = Buffer.from(`party: recipient\n${padding}replicas:\n${replicas}`).toString();
    return {
      type: "rcvFileDescrReady" as const,
      chatItem: itemIn(groupInfo(15), item),
      rcvFileTransfer: {
        fileId: 1,
        fileInvitation: { fileName: "a", fileSize: 1 },
        fileStatus: { type: "new" },
        cancelled: false,
      },
      rcvFileDescr: { fileDescrText: text, fileDescrComplete: true },
    };
  };

  const heapUsed = (): number => {
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    return process.memoryUsage().heapUsed;
  };

  test("is their addresses alone, not the descriptors", () => {
    const servers = new FileServers();
    const before = heapUsed();
    const padding = `# ${"x".repeat(200_000)}\n`;
    for (let item = 1; item <= 200; item += 1) servers.onEvent(described(item, [SERVER], padding));
    expect(heapUsed() - before).toBeLessThan(10_000_000);
    expect(servers.of(200)).toEqual([SERVER]);
  });

  test("is no more than an owner can be asked about, and that there are more", () => {
    const servers = new FileServers();
    const addresses = Array.from({ length: 1000 }, (_, number) => `xftp://fp@host${number}.example`);
    servers.onEvent(described(1, addresses));
    servers.noteRefusal(1, addresses);
    expect([servers.of(1), servers.refused(1)]).toEqual([addresses.slice(0, 51), addresses.slice(0, 51)]);
  });

  test("is not an address that is too long to be one", () => {
    const servers = new FileServers();
    servers.onEvent(described(1, [SERVER, `xftp://fp@${"a".repeat(1000)}.example`]));
    expect(servers.of(1)?.flatMap(hostsOf)).toEqual(["127.0.0.1", "?"]);
  });
});

describe("uploads", () => {
  /** Items of the recording. */
  const [REPORT, CANCELLED] = [100, 104];

  const offer = (item: number) => {
    const file = {
      fileId: 1,
      fileName: "a",
      fileSize: 1,
      fileStatus: { type: "rcvInvitation" },
      fileProtocol: "xftp",
    };
    return { type: "newChatItems" as const, chatItems: [itemIn(groupInfo(15), item, { file })] };
  };

  test("are under way from the offer to the descriptor", () => {
    const servers = new FileServers();
    expect(servers.isUploading(REPORT)).toBe(false);
    const events = recordedEvents("10-receive-file");
    const states: [boolean, readonly string[] | undefined][] = [];
    for (const raw of events) {
      const event = readEvent(raw);
      if (event) servers.onEvent(event);
      states.push([servers.isUploading(REPORT), servers.of(REPORT)]);
    }
    expect(states).toContainEqual([true, undefined]);
    expect(states.at(-1)).toEqual([false, [SERVER]]);
    expect([servers.isUploading(CANCELLED), servers.of(CANCELLED)]).toEqual([false, undefined]);
  });

  test("that ended before the offer was seen are not waited for", () => {
    const servers = new FileServers();
    const [descriptor] = recordedEvents("10-receive-file").filter(
      (event) => event.type === "rcvFileDescrReady",
    );
    const event = descriptor && readEvent(descriptor);
    if (event) servers.onEvent(event);
    servers.onEvent(offer(REPORT));
    expect(servers.isUploading(REPORT)).toBe(false);
  });

  test("of a later file with the same number are under way", () => {
    const servers = new FileServers();
    for (const raw of recordedEvents("10-receive-file")) {
      const event = readEvent(raw);
      if (event) servers.onEvent(event);
    }
    servers.onEvent(offer(200));
    expect([servers.isUploading(200), servers.of(200)]).toEqual([true, undefined]);
  });

  test("are forgotten when there are too many", () => {
    const servers = new FileServers();
    for (let item = 1; item <= 20_001; item += 1) servers.onEvent(offer(item));
    expect([servers.isUploading(1), servers.isUploading(2)]).toEqual([false, true]);
  });
});
