import { parseSimplexLink } from "../../src/simulator/text/simplex-links.js";

/**
 * The values that differ from run to run, paired as the answers of both runs show them: ids of each user's
 * database, and ids, keys and links that users share. Later commands of the recording are translated with it.
 */
export class Translation {
  private readonly forth = new Map<string, Map<unknown, unknown>>();
  private readonly back = new Map<string, Map<unknown, unknown>>();
  /** Random names (incognito profiles), which stand inside other texts too. */
  private readonly names = new Map<string, string>();

  /** Pairs two values of one kind; false when one of them is paired otherwise already. */
  pair(kind: string, recorded: unknown, simulated: unknown): boolean {
    const forth = mapOf(this.forth, kind);
    const back = mapOf(this.back, kind);
    if (!forth.has(recorded) && !back.has(simulated)) {
      forth.set(recorded, simulated);
      back.set(simulated, recorded);
    }
    return forth.get(recorded) === simulated;
  }

  /** Pairs two values, in place of what either of them was paired with. */
  pairAnew(kind: string, recorded: unknown, simulated: unknown): void {
    mapOf(this.forth, kind).set(recorded, simulated);
    mapOf(this.back, kind).set(simulated, recorded);
  }

  /** Pairs two links, and the `simplex:` forms of short ones. */
  pairLinks(recorded: string, simulated: string): boolean {
    const [from, to] = [parseSimplexLink(recorded), parseSimplexLink(simulated)];
    if (from?.short && to?.short) this.pair("link", from.simplexUri, to.simplexUri);
    return this.pair("link", recorded, simulated);
  }

  /** Times need not be apart in both runs: the last one seen counts. */
  noteTime(recorded: string, simulated: string): void {
    mapOf(this.forth, "time").set(recorded, simulated);
  }

  /** Forgets the ids of a user's database, which begins anew. */
  forget(who: string): void {
    for (const maps of [this.forth, this.back]) {
      for (const kind of maps.keys()) if (kind.startsWith(`${who} `)) maps.delete(kind);
    }
  }

  noteName(recorded: string, simulated: string): void {
    this.names.set(recorded, simulated);
  }

  simulated(kind: string, recorded: unknown): unknown {
    return this.forth.get(kind)?.get(recorded);
  }

  /** The text as the simulated run would have it. */
  text(recorded: string): string {
    let text = recorded;
    for (const [from, to] of this.names) text = text.replaceAll(from, to);
    return text;
  }

  /** A command of the recording, with the ids and links of the simulated run. */
  command(who: string, recorded: string): string {
    const id = (kind: string, digits: string) =>
      String(this.simulated(`${who} ${kind}`, Number(digits)) ?? digits);
    const ids = (kind: string, list: string) => list.replace(/\d+/g, (digits) => id(kind, digits));
    let command = recorded;
    for (const { pattern, kinds } of ID_ARGUMENTS) {
      command = command.replace(pattern, (_whole, ...groups: unknown[]) =>
        groups
          .slice(0, kinds.length)
          .map((group, at) => {
            const kind = kinds[at];
            const text = typeof group === "string" ? group : "";
            return kind === undefined || kind === "" ? text : ids(kind, text);
          })
          .join(""),
      );
    }
    command = command
      .replace(/("quotedItemId":)(\d+)/g, (_, key, digits) => key + id("item", digits))
      .replace(/("mentions":)(\{[^}]*\})/g, (_, key, map: string) => {
        return key + map.replace(/:(\d+)/g, (__, digits) => `:${id("member", digits)}`);
      })
      .replace(/(?:https:\/|simplex:)\/[^\s"]+/g, (link) => String(this.simulated("link", link) ?? link))
      .replace(/x'([0-9a-f]{32})'/g, (whole, hex: string) => {
        const row = this.simulated("row", hex.toUpperCase());
        return typeof row === "string" ? `x'${row.toLowerCase()}'` : whole;
      })
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => String(this.simulated("time", time) ?? time));
    return this.text(command);
  }
}

function mapOf(maps: Map<string, Map<unknown, unknown>>, kind: string): Map<unknown, unknown> {
  const map = maps.get(kind) ?? new Map<unknown, unknown>();
  maps.set(kind, map);
  return map;
}

interface IdArgument {
  pattern: RegExp;
  /** One a group of the pattern: a kind of id, or empty for text that stays. The groups cover the whole match. */
  kinds: string[];
}

/** Where ids stand in commands; the chat they belong to is translated by the last entries. */
const ID_ARGUMENTS: IdArgument[] = [
  { pattern: /^(\/_get chat \S+ .*?(?:after|before|around)=)(\d+)/, kinds: ["", "item"] },
  {
    pattern:
      /^(\/_(?:read chat items|update item|delete item|reaction|get item info|delete member item) \S+ )([\d,]+)/,
    kinds: ["", "item"],
  },
  { pattern: /^(\/_(?:forward \S+ \S+|forward plan \S+|report \S+) )([\d,]+)/, kinds: ["", "item"] },
  { pattern: /^(\/_reaction members \d+ #)(\d+)( )(\d+)/, kinds: ["", "group", "", "item"] },
  {
    pattern: /^(\/_(?:member role|remove|block|accept member|create member contact|info) #\d+ )([\d,]+)/,
    kinds: ["", "member"],
  },
  { pattern: /^(\/_add #\d+ )(\d+)/, kinds: ["", "contact"] },
  { pattern: /^(\/_(?:accept|reject)(?: incognito=\w+)? )(\d+)/, kinds: ["", "request"] },
  { pattern: /^(\/(?:freceive|fcancel) )(\d+)/, kinds: ["", "file"] },
  { pattern: /^(\/_\w[\w ]* :)(\d+)/, kinds: ["", "connection"] },
  { pattern: /^(\/_\w[\w ]* #\d+\(_support:)(\d+)/, kinds: ["", "member"] },
  { pattern: /^(\/_connect contact \d+ )(\d+)/, kinds: ["", "contact"] },
  { pattern: /^(\/_forward [#@]\d+ #)(\d+)/, kinds: ["", "group"] },
  { pattern: /^(\/_forward [#@]\d+ @)(\d+)/, kinds: ["", "contact"] },
  { pattern: /^(\/_\w[\w ]* #)(\d+)/, kinds: ["", "group"] },
  { pattern: /^(\/_\w[\w ]* @)(\d+)/, kinds: ["", "contact"] },
];
