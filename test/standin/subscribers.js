"use strict";

/** Who gets which events: those of a tag before those of any, each awaited, its errors printed and swallowed. */
class Subscribers {
  #byTag = new Map();
  #ofAny = [];

  on(tag, subscriber, once = false) {
    const subscribers = this.#byTag.get(tag) ?? [];
    this.#byTag.set(tag, subscribers);
    if (subscribers.some((one) => one.subscriber === subscriber)) {
      throw Error(`this function is already subscribed to ${tag}`);
    }
    subscribers.push({ subscriber, once });
  }

  off(tag, subscriber) {
    if (!subscriber) this.#byTag.delete(tag);
    else remove(this.#byTag.get(tag) ?? [], (one) => one.subscriber === subscriber);
  }

  onAny(subscriber) {
    if (this.#ofAny.includes(subscriber)) throw Error("this function is already subscribed");
    this.#ofAny.push(subscriber);
  }

  offAny(subscriber) {
    if (!subscriber) this.#ofAny = [];
    else remove(this.#ofAny, (one) => one === subscriber);
  }

  async tell(event) {
    for (const { subscriber, once } of [...(this.#byTag.get(event.type) ?? [])]) {
      await settled(subscriber, event);
      if (once) this.off(event.type, subscriber);
    }
    for (const subscriber of [...this.#ofAny]) await settled(subscriber, event);
  }
}

function remove(list, matches) {
  const index = list.findIndex(matches);
  if (index >= 0) list.splice(index, 1);
}

async function settled(subscriber, event) {
  try {
    await subscriber(event);
  } catch (error) {
    console.log(`${event.type} event processing error`, error);
  }
}

exports.Subscribers = Subscribers;
