import type { Random } from "../data/random.js";

/** A file at a server. Its bytes are as its sender had them: nothing here is encrypted. */
export interface StoredFile {
  /** `xftp://FINGERPRINT@host` */
  readonly server: string;
  readonly name: string;
  readonly content: Buffer;
  /** When it was stored, ms since 1970. */
  readonly at: number;
}

/** Servers keep files for so long. Milliseconds. */
const RETENTION = 48 * 3_600_000;

/** The file servers of the network. */
export class XftpServers {
  private readonly files = new Map<string, StoredFile>();
  /** By the id that a descriptor names: each receiver has another. */
  private readonly replicas = new Map<string, string>();

  constructor(private readonly random: Random) {}

  /** Stores a file and gives its id here. */
  store(file: StoredFile): string {
    const id = this.random.base64url(16);
    this.files.set(id, file);
    return id;
  }

  get(id: string | undefined): StoredFile | undefined {
    return id === undefined ? undefined : this.files.get(id);
  }

  /** Makes the id under which one receiver finds the file. */
  replica(id: string): string {
    const replica = `${this.random.base64url(16)}==`;
    this.replicas.set(replica, id);
    return replica;
  }

  /** The file behind a receiver's id, while it is there. */
  find(replica: string, now: number): StoredFile | undefined {
    const file = this.get(this.replicas.get(replica));
    return file && now - file.at < RETENTION ? file : undefined;
  }

  delete(id: string | undefined): void {
    if (id !== undefined) this.files.delete(id);
  }

  /** Deletes the files of this name, and tells how many there were. */
  remove(name: string): number {
    const found = [...this.files].filter(([, file]) => file.name === name);
    for (const [id] of found) this.files.delete(id);
    return found.length;
  }

  toJSON(): SavedFiles {
    return {
      files: [...this.files].map(([id, { content, ...file }]) => [
        id,
        { ...file, content: content.toString("base64") },
      ]),
      replicas: [...this.replicas],
    };
  }

  load({ files, replicas }: SavedFiles): void {
    for (const [id, { content, ...file }] of files)
      this.files.set(id, { ...file, content: Buffer.from(content, "base64") });
    for (const [replica, id] of replicas) this.replicas.set(replica, id);
  }
}

export interface SavedFiles {
  readonly files: ReadonlyArray<[string, Omit<StoredFile, "content"> & { readonly content: string }]>;
  readonly replicas: ReadonlyArray<[string, string]>;
}
