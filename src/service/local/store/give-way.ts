import { splitIntoParts } from "./parts-of.ts";

/**
 * Lets others run between two pieces of long work. In the first turn of the event loop, statements
 * that came after a piece still wait, because the turn was long; the second one is theirs. With one
 * turn, each statement of a short request would wait for a piece of its own.
 */
export async function giveWay(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

/** Makes something of each item, so many at a time that others run in between. */
export async function mapInPieces<Item, Result>(
  items: readonly Item[],
  size: number,
  map: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const piece of splitIntoParts(items, size)) {
    if (results.length > 0) await giveWay();
    for (const item of piece) results.push(map(item, results.length));
  }
  return results;
}
