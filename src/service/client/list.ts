import type { Envelope } from "../contract/models/model.ts";
import { ServerError } from "./errors.ts";

/**
 * A list of items. To get the first page, `await` the list. To get all items, use `for await`. The
 * client sends no request before that.
 */
export interface List<Item, Page extends Envelope<Item> = Envelope<Item>>
  extends PromiseLike<Page>,
    AsyncIterable<Item> {
  /** Iterates over the pages, with a request for each page. */
  pages(): AsyncIterableIterator<Page>;
  /**
   * Returns all items as an array, or at most `max` items. The client calls `onProgress` with the
   * number of items after every page.
   * @throws {RangeError} if the list contains more than 10,000 items and `max` is not set
   */
  all(options?: {
    max?: number | undefined;
    onProgress?: ((items: number) => void) | undefined;
  }): Promise<Item[]>;
  /**
   * The value to pass as `syncToken` to the next call. This value exists after the last page of the
   * rows of a table.
   */
  readonly nextSyncToken: string | undefined;
}

export interface PageRequest {
  pageToken?: string | undefined;
  /** The number of items in a page. By default, the service decides. */
  limit?: number | undefined;
}

/** More items in one response make a slow one; the service caps the rest. */
const MAX_WANTED = 200;
/** What `all` returns without `max`: more items are read one by one. */
const MAX_ITEMS = 10_000;
/** Pages below this size do not get faster. */
const MIN_LIMIT = 25;

const TOO_MANY = "The list has more than 10,000 items. Read the items with for await, or set max.";

/**
 * @param fetchPage requests one page: the first, or the one of a token
 * @param first where the listing begins, and how large its pages are
 */
export function createList<Item, Page extends Envelope<Item>>(
  fetchPage: (request: PageRequest) => Promise<Page>,
  first: PageRequest = {},
): List<Item, Page> {
  let nextSyncToken: string | undefined;
  async function* pages(wanted?: number): AsyncIterableIterator<Page> {
    let limit = first.limit ?? wanted;
    let { pageToken } = first;
    let given: readonly Item[] = [];
    let syncToken: string | undefined;
    let restarted:
      | { rest: (items: readonly Item[]) => Item[] | undefined; error: unknown }
      | undefined;
    for (;;) {
      let page: Page;
      try {
        page = await fetchPage({ pageToken, limit });
      } catch (error) {
        // The same page would time out again, and its token carries the limit: start again with
        // smaller pages.
        const slow = error instanceof ServerError && error.status === 504;
        if (!slow || limit === undefined || limit <= MIN_LIMIT || first.pageToken !== undefined)
          throw error;
        limit = Math.max(MIN_LIMIT, Math.floor(limit / 2));
        pageToken = undefined;
        restarted = given.length === 0 ? undefined : { rest: createSkip(given), error };
        continue;
      }
      syncToken = (page as { nextSyncToken?: string }).nextSyncToken ?? syncToken;
      const rest = restarted === undefined ? page.items : restarted.rest(page.items);
      if (rest !== undefined) {
        if (rest.length > 0) given = rest;
        yield rest === page.items ? page : { ...page, items: rest };
      }
      // Only the token says whether there is more: a page may have fewer items than requested, even
      // none.
      pageToken = page.nextPageToken;
      if (pageToken !== undefined) continue;
      if (restarted !== undefined && rest === undefined) throw restarted.error;
      nextSyncToken = syncToken;
      return;
    }
  }
  // Not a generator, which waits several times for every item: what is there is given at once.
  function items(): AsyncIterableIterator<Item> {
    const each = pages();
    let held: readonly Item[] = [];
    let at = 0;
    let waiting = 0;
    let last: Promise<unknown> = Promise.resolve();
    const take = async (): Promise<IteratorResult<Item>> => {
      while (at >= held.length) {
        const { done, value } = await each.next();
        if (done) return { done, value };
        held = value.items;
        at = 0;
      }
      return { done: false, value: held[at++] as Item };
    };
    // Who asks for the next item before the one before it is there, gets them in their order.
    const inTurn = (work: () => Promise<IteratorResult<Item>>): Promise<IteratorResult<Item>> => {
      waiting++;
      const answer = last.then(work).finally(() => waiting--);
      last = answer.catch(() => {});
      return answer;
    };
    return {
      next: () =>
        waiting === 0 && at < held.length
          ? Promise.resolve({ done: false, value: held[at++] as Item })
          : inTurn(take),
      return: () =>
        inTurn(async () => {
          held = [];
          await each.return?.();
          return { done: true, value: undefined };
        }),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a listing is awaited for its first page, as its documentation says.
    then: (onFulfilled, onRejected) =>
      pages()
        .next()
        .then(({ value }) => value as Page)
        .then(onFulfilled, onRejected),
    [Symbol.asyncIterator]: items,
    pages: () => pages(),
    async all({ max, onProgress } = {}) {
      if (max !== undefined && !(max >= 0)) throw new TypeError("max must be a number of items.");
      const found: Item[] = [];
      if (max === 0) return found;
      for await (const page of pages(Math.min(Math.ceil(max ?? MAX_WANTED), MAX_WANTED))) {
        found.push(...page.items.slice(0, (max ?? Number.POSITIVE_INFINITY) - found.length));
        onProgress?.(found.length);
        if (max === undefined && found.length > MAX_ITEMS) throw new RangeError(TOO_MANY);
        if (max !== undefined && found.length >= max) break;
      }
      return found;
    },
    get nextSyncToken() {
      return nextSyncToken;
    },
  };
}

/**
 * Finds where a restarted listing continues: after the items of the last page that the caller got.
 * Only that page is kept, so a
 * long listing needs no more memory than a short one.
 * @returns a function that leaves out items that the caller has; undefined for a page before that
 *   place
 */
function createSkip<Item>(given: readonly Item[]): (items: readonly Item[]) => Item[] | undefined {
  const known = new Set(given.map(readIdentity));
  let met = false;
  return (items) => {
    const from = met ? 0 : items.findIndex((item) => known.has(readIdentity(item)));
    if (from < 0) return undefined;
    met = true;
    return items.slice(from).filter((item) => !known.has(readIdentity(item)));
  };
}

function readIdentity(item: unknown): string {
  const { id } = item as { id?: unknown };
  return typeof id === "string" ? id : JSON.stringify(item);
}
