/** So many items that a statement for them is short, and others run in between. */
export function* splitIntoParts<Item>(items: Iterable<Item>, size = 500): Generator<Item[]> {
  let part: Item[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
