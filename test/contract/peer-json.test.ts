import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CoreJson } from "../../src/core/api/chat-api.js";
import { readResponse } from "../../src/core/requests.js";
import { type ResponseType, responses } from "../../src/core/responses.js";
import { readEvent } from "../../src/core/types.js";
import { PLACES, putInto, Written, written } from "../world/peer-json.js";
import { passedOver } from "./passed-over.js";
import { readTranscript, transcriptNames } from "./transcript.js";

const HERE = new Written("here");

interface Told {
  where: string;
  cmd: string | undefined;
  json: CoreJson;
}

const isRead = (type: string): type is ResponseType => type in responses;

/** Of each form of an answer or event, one: the whole of its keys counts. */
function everyForm(): Told[] {
  const byForm = new Map<string, Told>();
  for (const name of transcriptNames()) {
    for (const { number, cmd, resp, event } of readTranscript(name).lines) {
      const json = resp ?? event;
      if (!json || (resp && !(cmd !== undefined && isRead(resp.type)))) continue;
      const form = `${resp ? "answer" : "event"} ${[...keysIn(json)].sort().join(" ")}`;
      if (!byForm.has(form)) byForm.set(form, { where: `${name}:${number}`, cmd: resp && cmd, json });
    }
  }
  return [...byForm.values()];
}

function keysIn(json: unknown, found = new Set<string>()): Set<string> {
  if (typeof json !== "object" || json === null) return found;
  for (const [key, part] of Object.entries(json)) {
    if (!Array.isArray(json)) found.add(key === "type" ? `type ${part}` : key);
    keysIn(part, found);
  }
  return found;
}

function read({ cmd, json }: Told): unknown {
  if (cmd === undefined) return readEvent(json);
  return isRead(json.type) ? readResponse(cmd, json, [json.type]) : undefined;
}

describe("what a peer can shape fails nothing in what the core told", () => {
  const all = everyForm();

  it.each(PLACES)("any JSON as $name", (place) => {
    const here = all.filter(
      ({ json }) => JSON.stringify(putInto(json, [[place, HERE]])) !== JSON.stringify(json),
    );
    expect(here.length, "recordings that have it").toBeGreaterThan(0);
    fc.assert(
      fc.property(fc.constantFrom(...here), written, (told, value) => {
        const changed = { ...told, json: putInto(told.json, [[place, value]]) };
        expect([...passedOver(read(changed), changed.json)], told.where).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
