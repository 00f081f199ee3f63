import { describe, expect, it } from "vitest";
import { parseNameDomain, parseSimplexLink } from "../../../../src/simulator/text/simplex-links.js";
import { readTranscript, transcriptNames } from "../../../contract/transcript.js";

interface RecordedLink {
  connFullLink: string;
  connShortLink?: string;
}

/** All links in answers and events of the recordings. */
function* recordedLinks(value: unknown): Generator<RecordedLink> {
  if (typeof value !== "object" || value === null) return;
  if ("connFullLink" in value) yield value as RecordedLink;
  for (const field of Object.values(value)) yield* recordedLinks(field);
}

const links = new Map<string, RecordedLink>();
for (const name of transcriptNames()) {
  for (const line of readTranscript(name).lines) {
    for (const link of recordedLinks(line)) links.set(link.connFullLink + (link.connShortLink ?? ""), link);
  }
}

describe("links", () => {
  it("are read in both forms, of one kind and server", () => {
    const kinds = new Set<string>();
    for (const { connFullLink, connShortLink } of links.values()) {
      const full = parseSimplexLink(connFullLink);
      expect(full, connFullLink).toMatchObject({ simplexUri: connFullLink, short: false });
      if (connShortLink === undefined) continue;
      const short = parseSimplexLink(connShortLink);
      expect(short, connShortLink).toMatchObject({
        linkType: full?.linkType,
        smpHosts: full?.smpHosts,
        short: true,
      });
      expect(parseSimplexLink(short?.simplexUri ?? "")).toEqual(short);
      kinds.add(full?.linkType ?? "");
    }
    expect([...kinds].sort()).toEqual(["contact", "group", "invitation"]);
  });

  it("are none when they are cut", () => {
    for (const { cmd = "", error } of readTranscript("25").lines) {
      const target = /^\/_connect plan 1 (\S+)$/.exec(cmd)?.[1];
      if (target === undefined || error?.type !== "error") continue;
      // Relay and channel links are read, and refused as such.
      if (/\/[rc]#/.test(target)) expect(parseSimplexLink(target)?.linkType).toMatch(/relay|channel/);
      else expect(parseSimplexLink(target), target).toBe(undefined);
    }
  });
});

describe("names", () => {
  it.each([
    ["directory.testing", { nameTLD: "testing", domain: "directory", subDomain: [] }],
    ["a.directory.simplex", { nameTLD: "simplex", domain: "directory", subDomain: ["a"] }],
    ["bug-7", { nameTLD: "simplex", domain: "bug-7", subDomain: [] }],
    ["a.b", { nameTLD: "web", domain: "a.b", subDomain: [] }],
    ["a--b", undefined],
    ["a.", undefined],
    ["-a", undefined],
    ["", undefined],
  ])("%j", (name, domain) => {
    expect(parseNameDomain(name)).toEqual(domain);
  });
});
