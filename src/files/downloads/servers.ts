import type { ChatEvent } from "../../core/types.js";
import { Changes } from "../../time/wait.js";

/** Whole addresses of the servers in a file's descriptor, which is YAML with `server:` in each replica. */
export function descriptorServers(text: string): string[] {
  const found = [...text.matchAll(/^[ \t-]*server:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|(\S+))[ \t]*$/gm)];
  return unique(found.map(([, double, single, plain]) => double ?? single ?? plain ?? ""));
}

/** The hosts of an address such as `xftp://FINGERPRINT@host,onion:port`; `?` for one that is none: peers write them. */
export function hostsOf(address: string): string[] {
  const [, hosts = ""] = /^xftp:\/\/[^@\s]*@([^/\s]+?)(?::\d+)?$/.exec(address) ?? [];
  return hosts.split(",").map((host) => (/^[\w.:[\]-]{1,253}$/.test(host) ? host : "?"));
}

/** The servers that are not in the list, compared as whole addresses, as the core does. */
export function unknownServers(servers: readonly string[], known: readonly string[]): string[] {
  return servers.filter((server) => !known.includes(server));
}

export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Files that are remembered: the oldest are forgotten. */
const MOST_FILES = 20_000;
/** A file on more servers is not asked for. Those that apps send are on a few. */
export const MOST_SERVERS = 50;
/** Characters; what is longer is no address. */
const LONGEST_ADDRESS = 500;

/**
 * Addresses to remember, of what peers write as long as they like: one more than may be at most tells that there are
 * more. They are copied, for a part of a text keeps the whole text in memory.
 */
function remembered(servers: readonly string[]): string[] {
  return servers
    .slice(0, MOST_SERVERS + 1)
    .map((server) => (server.length > LONGEST_ADDRESS ? "" : Buffer.from(server).toString()));
}

/**
 * Where files are, by the items that offer them: the core gives the number of a file that is gone to a later one. The
 * core tells servers only when a file's upload is over, or when it refuses to receive it; it does not store them, so
 * they are known of files that were sent while the server runs.
 */
export class FileServers {
  /** Emitted when something became known of any file. */
  readonly changes = new Changes();
  readonly #servers = new Map<number, readonly string[]>();
  readonly #refused = new Map<number, readonly string[]>();
  readonly #uploading = new Set<number>();

  onEvent(event: ChatEvent): void {
    switch (event.type) {
      case "newChatItems":
        for (const { chatItem } of event.chatItems) {
          if (chatItem.file?.fileStatus.type === "rcvInvitation") this.#announced(chatItem.meta.itemId);
        }
        break;
      case "rcvFileDescrReady":
        this.#remember(
          this.#servers,
          event.chatItem.chatItem.meta.itemId,
          descriptorServers(event.rcvFileDescr.fileDescrText),
        );
        this.#settled(event.chatItem.chatItem.meta.itemId);
        break;
      case "rcvFileSndCancelled":
        this.#settled(event.chatItem.chatItem.meta.itemId);
        break;
      case "chatItemsDeleted":
        for (const { deletedChatItem } of event.chatItemDeletions) {
          const { file, meta } = deletedChatItem.chatItem;
          if (file) this.#settled(meta.itemId);
        }
        break;
      default:
    }
  }

  /** The servers of the file of an item, where they are known. */
  of(item: number): readonly string[] | undefined {
    return this.#servers.get(item);
  }

  /** The servers that the core refused to receive the file from. */
  refused(item: number): readonly string[] {
    return this.#refused.get(item) ?? [];
  }

  /** It was offered while the server runs, and its upload did not end yet. */
  isUploading(item: number): boolean {
    return this.#uploading.has(item);
  }

  noteRefusal(item: number, servers: readonly string[]): void {
    this.#remember(this.#refused, item, servers);
  }

  #announced(item: number): void {
    // The descriptor may have come first.
    if (!this.#servers.has(item)) this.#uploading.add(item);
    const [oldest] = this.#uploading;
    if (this.#uploading.size > MOST_FILES && oldest !== undefined) this.#uploading.delete(oldest);
  }

  #settled(item: number): void {
    this.#uploading.delete(item);
    this.changes.emit();
  }

  #remember(map: Map<number, readonly string[]>, item: number, servers: readonly string[]): void {
    map.set(item, remembered(servers));
    const [oldest] = map.keys();
    if (map.size > MOST_FILES && oldest !== undefined) map.delete(oldest);
  }
}
