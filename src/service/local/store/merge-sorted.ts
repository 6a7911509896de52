/** Merges sorted lists. Each step does little, however many items there are. */
export function mergeSorted<Item>(
  lists: readonly Iterable<Item>[],
  compare: (one: Item, other: Item) => number,
): Iterable<Item> {
  if (lists.length < 2) return lists[0] ?? [];
  const half = Math.floor(lists.length / 2);
  return mergeTwo(
    mergeSorted(lists.slice(0, half), compare),
    mergeSorted(lists.slice(half), compare),
    compare,
  );
}

function* mergeTwo<Item>(
  one: Iterable<Item>,
  other: Iterable<Item>,
  compare: (one: Item, other: Item) => number,
): Generator<Item> {
  const left = one[Symbol.iterator]();
  const right = other[Symbol.iterator]();
  let fromLeft = left.next();
  let fromRight = right.next();
  while (fromLeft.done !== true || fromRight.done !== true) {
    if (
      fromRight.done === true ||
      (fromLeft.done !== true && compare(fromLeft.value, fromRight.value) <= 0)
    ) {
      yield fromLeft.value;
      fromLeft = left.next();
    } else {
      yield fromRight.value;
      fromRight = right.next();
    }
  }
}
