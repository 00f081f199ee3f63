/** SimpleX links and names as the core reads them in message text. */

export type LinkType = "contact" | "invitation" | "group" | "channel" | "relay";

export interface SimplexLink {
  linkType: LinkType;
  /** The link in its `simplex:/` form. */
  simplexUri: string;
  smpHosts: string[];
  short: boolean;
}

export interface NameDomain {
  nameTLD: "simplex" | "testing" | "web";
  domain: string;
  subDomain: string[];
}

/** 32 bytes of a link key and 24 of a link id, in unpadded base64url. */
const SHORT_LINK =
  /^(?:simplex:|https:\/\/([A-Za-z0-9.-]+))\/(?:([acgr])#|(i)#([A-Za-z0-9_-]{32})\/)([A-Za-z0-9_-]{43})(?:\?(.*))?$/;
const FULL_LINK = /^(?:simplex:|https:\/\/[A-Za-z0-9.-]+(?::\d+)?)(\/(contact|invitation)\/?#\/?\?(.*))$/;
/** A queue with the key that is needed to write to it. */
const QUEUE =
  /^smp:\/\/[A-Za-z0-9_-]+=*@([A-Za-z0-9.,-]+)(?::\d+)?\/[A-Za-z0-9_-]+=*#\/?\?(?=.*\bdh=MCowBQYDK2VuAyEA[A-Za-z0-9_-]{43}(?:=|%3D))/;
/** The hash of a server's key. */
const SERVER_KEY = /^[A-Za-z0-9_-]{43}=?$/;
const SHORT_TYPES: Record<string, LinkType> = {
  a: "contact",
  g: "group",
  c: "channel",
  r: "relay",
  i: "invitation",
};

export function parseSimplexLink(text: string): SimplexLink | undefined {
  return parseShortLink(text) ?? parseFullLink(text);
}

function parseShortLink(text: string): SimplexLink | undefined {
  const match = SHORT_LINK.exec(text);
  if (match === null) return undefined;
  const [, webHost, address, invitation, linkId, key = "", query = ""] = match;
  const letter = address ?? invitation ?? "";
  const linkType = SHORT_TYPES[letter];
  if (linkType === undefined) return undefined;
  const params = new URLSearchParams(query);
  const moreHosts = (params.get("h") ?? "").split(",").filter((host) => host !== "");
  const smpHosts = webHost === undefined ? moreHosts : [webHost, ...moreHosts];
  const serverKey = params.get("c");
  if (smpHosts.length === 0 || (serverKey !== null && !SERVER_KEY.test(serverKey))) return undefined;
  const server = [`h=${smpHosts.join(",")}`];
  for (const name of ["p", "c"]) {
    const value = params.get(name);
    if (value !== null) server.push(`${name}=${value}`);
  }
  const path = linkId === undefined ? key : `${linkId}/${key}`;
  return { linkType, simplexUri: `simplex:/${letter}#${path}?${server.join("&")}`, smpHosts, short: true };
}

function parseFullLink(text: string): SimplexLink | undefined {
  const match = FULL_LINK.exec(text);
  if (match === null) return undefined;
  const [, path = "", kind, query = ""] = match;
  const params = new URLSearchParams(query);
  const smpHosts: string[] = [];
  for (const queue of (params.get("smp") ?? "").split(";")) {
    const hosts = QUEUE.exec(queue)?.[1];
    if (hosts === undefined) return undefined;
    smpHosts.push(...hosts.split(","));
  }
  if (kind === "invitation" && !params.has("e2e")) return undefined;
  const group = params.get("data")?.includes('"groupLinkId"') ?? false;
  const linkType = kind === "invitation" ? "invitation" : group ? "group" : "contact";
  return { linkType, simplexUri: `simplex:${path}`, smpHosts, short: false };
}

const LABEL = /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/;

/** `abc`, `abc.testing`, `shop.example.com`: the name without its `#` or `@`. A lone label is a `simplex` name. */
export function parseNameDomain(name: string): NameDomain | undefined {
  const labels = name.split(".");
  if (!labels.every((label) => label.length <= 63 && LABEL.test(label))) return undefined;
  if (labels.length === 1) return { nameTLD: "simplex", domain: name, subDomain: [] };
  const tld = labels[labels.length - 1];
  if (tld !== "simplex" && tld !== "testing") return { nameTLD: "web", domain: name, subDomain: [] };
  return { nameTLD: tld, domain: labels[labels.length - 2] ?? "", subDomain: labels.slice(0, -2) };
}
