import type { Envelope } from "../contract/wire.ts";

/**
 * A listing. `await` it for the first page, or iterate over all items with `for await`. Nothing is requested before that.
 */
export interface List<Item, Page extends Envelope<Item> = Envelope<Item>> extends PromiseLike<Page>, AsyncIterable<Item> {
  /** Every page, one request each. */
  pages(): AsyncIterableIterator<Page>;
  /** The items as an array, at most `max` of them. */
  all(options: { max: number }): Promise<Item[]>;
}

export interface PageRequest {
  pageToken?: string | undefined;
  /** How many items are wanted at most, as far as that is known. */
  wanted?: number | undefined;
}

/** More items in one response make a slow one; the service caps the rest. */
const MAX_WANTED = 200;

/** @param fetchPage requests one page: the first, or the one of a token */
export function createList<Item, Page extends Envelope<Item>>(fetchPage: (request: PageRequest) => Promise<Page>): List<Item, Page> {
  async function* pages(wanted?: number): AsyncIterableIterator<Page> {
    let page = await fetchPage({ wanted });
    yield page;
    // The token alone says whether there is more: a page may hold fewer items than asked for, even none.
    while (page.nextPageToken !== undefined) {
      page = await fetchPage({ pageToken: page.nextPageToken });
      yield page;
    }
  }
  async function* items(): AsyncIterableIterator<Item> {
    for await (const page of pages()) yield* page.items;
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a listing is awaited for its first page, as its documentation says.
    then: (onFulfilled, onRejected) => fetchPage({}).then(onFulfilled, onRejected),
    [Symbol.asyncIterator]: items,
    pages: () => pages(),
    async all({ max }) {
      if (!(max >= 0)) throw new TypeError("max has to be a number of items.");
      const found: Item[] = [];
      if (max === 0) return found;
      for await (const page of pages(Math.min(Math.ceil(max), MAX_WANTED))) {
        found.push(...page.items.slice(0, max - found.length));
        if (found.length >= max) break;
      }
      return found;
    },
  };
}
