import type { Envelope } from "../contract/models/model.ts";
import type { PageQuery } from "../contract/models/requests.ts";
import type { ItemOf, OperationId, PathOf, QueryOf, ResponseOf } from "../contract/operations.ts";
import type { Call, ReadSettings } from "./call-types.ts";
import { AmbiguousNameError, NotFoundError } from "./errors.ts";
import { createList, type List } from "./list.ts";

/** A request that reads one thing. */
export type Read<Id extends OperationId> = (options?: QueryOf<Id> & ReadSettings) => Promise<ResponseOf<Id>>;
/** A list: await it for the first page, iterate over all of it. */
export type Listing<Id extends OperationId> = (options?: QueryOf<Id> & ReadSettings) => List<ItemOf<Id>, ListPage<Id>>;
type ListPage<Id extends OperationId> = ResponseOf<Id> & Envelope<ItemOf<Id>>;

/** Things of a document that are found by id or by name. */
export interface Named<Item> {
  /**
   * The one that has this id, or else this name.
   * @throws {ServiceError} NotFoundError, AmbiguousNameError when several have the name
   */
  resolve(idOrName: string, settings?: ReadSettings): Promise<Item>;
}

/** Makes the methods of resources that only read. */
export function createReaders(call: Call) {
  const send = call as (id: OperationId, options: object) => Promise<never>;

  function read<Id extends OperationId>(id: Id, path?: PathOf<Id>): Read<Id> {
    return (options) => send(id, { path, ...split(options) });
  }

  function list<Id extends OperationId>(id: Id, path?: PathOf<Id>): Listing<Id> {
    return (options) => {
      const { query, ...settings } = split(options);
      const { limit, pageToken: begin, ...rest } = query as PageQuery;
      return createList<ItemOf<Id>, ListPage<Id>>(
        (page) =>
          send(id, {
            path,
            ...settings,
            query: page.pageToken === undefined ? { ...rest, limit: page.limit } : { pageToken: page.pageToken },
          }),
        { limit, pageToken: begin },
      );
    };
  }

  function named<Id extends OperationId, Item extends { id: string; name: string } & ItemOf<Id>>(
    id: Id,
    path?: PathOf<Id>,
  ): Named<Item>["resolve"] {
    return async (idOrName, settings) => {
      const found: Item[] = [];
      for await (const item of list(id, path)({ limit: 100, ...settings } as never)) {
        if ((item as Item).id === idOrName) return item as Item;
        if ((item as Item).name === idOrName) found.push(item as Item);
      }
      return only(found, idOrName, id);
    };
  }

  return { read, list, named };
}

/** @throws {ServiceError} NotFoundError, AmbiguousNameError */
export function only<Item extends { id: string }>(found: readonly Item[], name: string, operation: OperationId): Item {
  const [first, ...others] = found;
  if (first === undefined) throw new NotFoundError(`Nothing has the id or name ${JSON.stringify(name)}.`, { operation, status: 404 });
  if (others.length === 0) return first;
  const ids = found.map(({ id }) => id);
  throw new AmbiguousNameError(`${found.length} things are named ${JSON.stringify(name)}: use one of the ids ${ids.join(", ")}.`, {
    operation,
    status: 0,
    executed: "no",
    ids,
  });
}

/** Parts the settings of a call from the query of its request. */
export function split<Options extends ReadSettings>(
  options: Options | undefined,
): ReadSettings & { query: Omit<Options, keyof ReadSettings> } {
  const { signal, deadlineMs, cacheTtlSecs, fresh, ...query } = options ?? ({} as Options);
  return { signal, deadlineMs, cacheTtlSecs, fresh, query };
}
