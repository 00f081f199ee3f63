import { agentError } from "../data/errors.js";
import type { Random } from "../data/random.js";
import type { ConnLink, Json } from "../data/rows.js";

/** An SMP server as links name it. */
export interface Server {
  /** `smp://FINGERPRINT=@host:port`. */
  readonly address: string;
  readonly fingerprint: string;
  readonly host: string;
  readonly port?: string;
}

/** The server of the simulated network, for users that set none. */
export const DEFAULT_SERVER = "smp://c2ltdWxhdGVkLW5ldHdvcmstc2VydmVyLWtleS0wMDE=@smp.simulated.invalid";

export function parseServer(address: string): Server | undefined {
  const match = /^(?:smp|xftp):\/\/([A-Za-z0-9_-]+)=?(?::[^@]*)?@([A-Za-z0-9.,-]+?)(?::(\d+))?$/.exec(
    address,
  );
  const [, fingerprint, host, port] = match ?? [];
  if (fingerprint === undefined || host === undefined) return undefined;
  return { address, fingerprint, host: host.split(",")[0] ?? host, ...(port !== undefined && { port }) };
}

export type LinkKind = "contact" | "group" | "invitation";

/** A link as the servers keep it: the queue behind it, whose it is, and the data of its short link. */
export interface PublishedLink {
  readonly queue: string;
  readonly kind: LinkKind;
  readonly database: string;
  readonly link: ConnLink;
  readonly server: string;
  /** `contactSLinkData_` or `groupSLinkData_`. */
  data: Json;
  /** An invitation that was used. */
  used: boolean;
  /** Whose core looked an invitation up first. */
  takenBy?: string;
  /** The full link as it is read from the short link of an invitation: with one key more. */
  readonly fetched?: ConnLink;
  /** The connection that an invitation makes. */
  readonly conn?: string;
}

const encoded = encodeURIComponent;

/** Bytes of a quantum resistant key. */
const KEM_KEY = 1158;

function queueUri(random: Random, server: Server, queue: string, mode: string): string {
  const key = `MCowBQYDK2VuAyEA${random.base64url(32)}`;
  return encoded(`${server.address}/${queue}#/?v=1-4&dh=${key}%3D&${mode}`);
}

/** Makes the full and the short link of a new queue. */
export function makeLink(
  random: Random,
  server: Server,
  kind: LinkKind,
  groupLinkId?: string,
): { queue: string; link: ConnLink } {
  const queue = random.base64url(24);
  const where = shortServer(server);
  if (kind === "invitation") {
    const full = `simplex:/invitation#/?v=2-7&smp=${queueUri(random, server, queue, "q=m&k=s")}`;
    const keys = [0, 1].map(() => `MEIwBQYDK2VvAzkA${random.base64url(57)}`).join(",");
    const e2e = encoded(`v=2-3&x3dh=${keys}`);
    const short = `https://${server.host}/i#${random.base64url(24)}/${random.base64url(32)}${where}`;
    return { queue, link: { connFullLink: `${full}&e2e=${e2e}`, connShortLink: short } };
  }
  const data = groupLinkId === undefined ? "" : `&data=${encoded(JSON.stringify({ groupLinkId }))}`;
  const full = `simplex:/contact#/?v=2-7&smp=${queueUri(random, server, queue, "q=c")}${data}`;
  const short = `https://${server.host}/${kind === "group" ? "g" : "a"}#${random.base64url(32)}${where}`;
  return { queue, link: { connFullLink: full, connShortLink: short } };
}

/** Servers that are no presets are named with their port and key. */
function shortServer({ port, fingerprint }: Server): string {
  return `?${port !== undefined ? `p=${port}&` : ""}c=${fingerprint}`;
}

/** The full link of an invitation with the key that only its short link brings. */
export const withKemKey = (random: Random, link: ConnLink): ConnLink => ({
  ...link,
  connFullLink: `${link.connFullLink}${encoded(`&kem_key=${random.base64url(KEM_KEY)}`)}`,
});

/** Whether the keys in a link are whole: a link that was cut is none. */
export function isWhole(link: string): boolean {
  const short = /[?&]c=([^&]*)/.exec(link)?.[1];
  return short === undefined
    ? !link.includes("dh%3D") || /%26dh%3D[\w-]{59}%253D/.test(link)
    : short.length === 43;
}

/** The queue of a full link. */
export function queueOf(fullLink: string): string | undefined {
  const queue = /%2F([A-Za-z0-9_-]{32})%23/.exec(fullLink)?.[1];
  return queue;
}

/** The server of a full link or a short one, as an address with its key. */
export function serverOf(link: string): string {
  const full = /smp=(smp%3A%2F%2F.*?)%2F[A-Za-z0-9_-]{32}%23/.exec(link)?.[1];
  if (full !== undefined) return decodeURIComponent(full);
  const [, web, query = ""] = /^(?:https:\/\/([^/]+)|simplex:)\/.#[^?]*(?:\?(.*))?$/.exec(link) ?? [];
  const params = new URLSearchParams(query);
  const port = params.get("p");
  const host = web ?? params.get("h")?.split(",")[0] ?? "";
  return `smp://${params.get("c") ?? ""}=@${host}${port === null ? "" : `:${port}`}`;
}

/** The group link id in a full link's data. */
export function groupLinkIdOf(fullLink: string): string | undefined {
  const data = /[&?]data=([^&]*)/.exec(fullLink)?.[1];
  if (data === undefined) return undefined;
  const parsed: unknown = JSON.parse(decodeURIComponent(data));
  if (typeof parsed !== "object" || parsed === null || !("groupLinkId" in parsed)) return undefined;
  return String(parsed.groupLinkId);
}

/** Whether two short links are one, in whatever form: what follows `#` decides, without the server. */
export const sameShort = (one: string | undefined, other: string): boolean =>
  one !== undefined && shortKey(one) === shortKey(other);

export const shortKey = (short: string): string => short.replace(/^[^#]*#/, "").replace(/\?.*$/, "");

/** The server knows no such link, or it was used. */
export const linkGone = (link: string) =>
  agentError({ type: "SMP", serverAddress: serverOf(link), smpErr: { type: "AUTH" } });
