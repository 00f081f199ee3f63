import type { Core } from "../core/core.js";
import { isAddressExists, isAddressNotFound, isPendingConnectionNotFound } from "../core/errors/errors.js";
import type { AddressSettings, ConnLink, User } from "../core/types.js";
import { Turns } from "../time/turns.js";

/** The links by which others find the agent: its address, and those that work once. The core has them all. */
export class OwnLinks {
  readonly #core: Core;
  readonly #userId: number;
  readonly #turns: Turns<"address">;

  constructor(core: Core, user: Pick<User, "userId">, turns = new Turns<"address">()) {
    this.#core = core;
    this.#userId = user.userId;
    this.#turns = turns;
  }

  /** The same links, for one who uses the core otherwise. */
  with(core: Core): OwnLinks {
    return new OwnLinks(core, { userId: this.#userId }, this.#turns);
  }

  /** The address; undefined where there is none. */
  async address(): Promise<OwnAddress | undefined> {
    try {
      const { connLinkContact, addressSettings } = await this.#core.showAddress(this.#userId);
      return { link: written(connLinkContact), settings: addressSettings };
    } catch (error) {
      if (isAddressNotFound(error)) return undefined;
      throw error;
    }
  }

  /** The address, made where there is none, with requests that wait. */
  makeAddress(): Promise<OwnAddress> {
    return this.#turns.run("address", () => this.#make());
  }

  /** Makes the address let in whoever asks, or no more. */
  setAuto(auto: boolean): Promise<OwnAddress> {
    return this.#turns.run("address", async () => {
      const { link, settings } = await this.#make();
      if (isAuto(settings) === auto) return { link, settings };
      const { autoAccept: _, ...others } = settings;
      const next = auto ? { ...others, autoAccept: { acceptIncognito: false } } : others;
      await this.#core.setAddress(this.#userId, next);
      return { link, settings: next };
    });
  }

  /** False where there was none. */
  deleteAddress(): Promise<boolean> {
    return this.#turns.run("address", async () => {
      try {
        await this.#core.deleteAddress(this.#userId);
        return true;
      } catch (error) {
        if (isAddressNotFound(error)) return false;
        throw error;
      }
    });
  }

  async makeOneTimeLink(): Promise<string> {
    return written(await this.#core.createInvitation(this.#userId));
  }

  /** Deletes the links that work once and were not used. How many. */
  async deleteUnusedLinks(): Promise<number> {
    let deleted = 0;
    for (const { chatInfo } of await this.#core.getChats(this.#userId, { pending: true })) {
      if (chatInfo.type !== "contactConnection") continue;
      const { pccConnId, pccConnStatus, connLinkInv } = chatInfo.contactConnection;
      if (pccConnStatus.type !== "new" || !connLinkInv) continue;
      if (await this.#deleteLink(pccConnId)) deleted += 1;
    }
    return deleted;
  }

  /** False when somebody used it meanwhile. */
  async #deleteLink(connId: number): Promise<boolean> {
    try {
      await this.#core.deletePendingConnection(connId);
      return true;
    } catch (error) {
      if (isPendingConnectionNotFound(error)) return false;
      throw error;
    }
  }

  async #make(): Promise<OwnAddress> {
    const there = await this.address();
    if (there) return there;
    try {
      const link = written(await this.#core.createAddress(this.#userId));
      const settings = { businessAddress: false };
      await this.#core.setAddress(this.#userId, settings);
      return { link, settings };
    } catch (error) {
      const made = isAddressExists(error) ? await this.address() : undefined;
      if (made) return made;
      throw error;
    }
  }
}

export interface OwnAddress {
  link: string;
  settings: AddressSettings;
}

/** Whoever asks is let in. */
export function isAuto({ autoAccept }: AddressSettings): boolean {
  return autoAccept !== undefined && autoAccept !== null;
}

function written({ connShortLink, connFullLink }: ConnLink): string {
  return connShortLink ?? connFullLink;
}
