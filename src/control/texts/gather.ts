/**
 * Cards that ended, in as few messages as fit: one below the other, with one ending for those in a row that end alike.
 * The last line of each is its ending.
 */
export function gathered(cards: readonly string[], fits: (text: string) => boolean): string[] {
  const messages: string[] = [];
  let now: string[] = [];
  for (const card of cards) {
    const text = together([...now, card]);
    if (now.length > 0 && !fits(text)) {
      messages.push(together(now));
      now = [];
    }
    now.push(card);
  }
  return now.length > 0 ? [...messages, together(now)] : messages;
}

function together(cards: readonly string[]): string {
  const lines = cards.flatMap((card, index) => {
    const next = cards[index + 1];
    const [says, end] = parts(card);
    return next !== undefined && parts(next)[1] === end ? [says] : [says, end];
  });
  return lines.join("\n");
}

function parts(card: string): [says: string, end: string] {
  const at = card.lastIndexOf("\n");
  return [card.slice(0, at), card.slice(at + 1)];
}
