/** Something that a search finds by its title, and after that by its other texts. */
export interface Searchable {
  title: string;
  /** Further texts, such as the description. */
  texts?: readonly string[] | undefined;
}

/**
 * The items that contain every word of a query. Titles that begin with the query come first, then
 * titles that contain its words.
 */
export function searchItems<Item extends Searchable>(
  items: readonly Item[],
  query: string,
): Item[] {
  const words = query.trim().toLowerCase().split(/\s+/);
  const ranked = items
    .map((item) => ({ item, rank: computeRank(item, words) }))
    .filter(({ rank }) => rank < NO_MATCH);
  return ranked.sort((left, right) => left.rank - right.rank).map(({ item }) => item);
}

const NO_MATCH = 3;

function computeRank({ title, texts = [] }: Searchable, words: readonly string[]): number {
  const name = title.toLowerCase();
  if (name.startsWith(words.join(" "))) return 0;
  if (words.every((word) => name.includes(word))) return 1;
  const all = [name, ...texts].join(" ").toLowerCase();
  return words.every((word) => all.includes(word)) ? 2 : NO_MATCH;
}

/**
 * The words of an identifier: `ListOpenTasks` has three, `list_open` has two. Joined, they are the
 * name again.
 */
export function wordsOfName(name: string): string[] {
  return name.match(/[A-Z]*[^A-Z_./:-]+[_./:-]*|[A-Z]+[_./:-]*|[_./:-]+/g) ?? [name];
}
