import type { Envelope } from "../contract/models/model.ts";
import type { PageQuery } from "../contract/models/requests.ts";
import type {
  BodyOf,
  ItemOf,
  OperationId,
  PathOf,
  QueryOf,
  ResponseOf,
} from "../contract/operations.ts";
import type { Call, CallSettings, ReadSettings } from "./call-types.ts";
import { AmbiguousNameError, NotFoundError } from "./errors.ts";
import { createList, type List } from "./list.ts";

/** A request that reads a resource. */
export type Read<Id extends OperationId> = (
  ...options: object extends QueryOf<Id>
    ? [options?: QueryOf<Id> & ReadSettings]
    : [options: QueryOf<Id> & ReadSettings]
) => Promise<ResponseOf<Id>>;
/** A list. To get the first page, `await` the list. To get all items, iterate over the list. */
export type Listing<Id extends OperationId> = (
  options?: QueryOf<Id> & ReadSettings,
) => List<ItemOf<Id>, ListPage<Id>>;
/** A request that changes a resource, with a body. */
export type Write<Id extends OperationId> = (
  body: BodyOf<Id>,
  settings?: CallSettings,
) => Promise<ResponseOf<Id>>;
/** A request that changes a resource, without a body. */
export type Act<Id extends OperationId> = (settings?: CallSettings) => Promise<ResponseOf<Id>>;
type ListPage<Id extends OperationId> = ResponseOf<Id> & Envelope<ItemOf<Id>>;

/** Parts of a document that you can find by ID or by name. */
export interface Named<Item> {
  /**
   * Returns the part with this ID. If no part has this ID, returns the part with this name.
   * @throws {ServiceError} NotFoundError, AmbiguousNameError when several have the name
   */
  resolve(idOrName: string, settings?: ReadSettings): Promise<Item>;
}

/** Makes the methods that only forward to an operation. */
export function createMethods(call: Call) {
  const send = call as (id: OperationId, options: object) => Promise<never>;

  function read<Id extends OperationId>(id: Id, path?: PathOf<Id>): Read<Id> {
    return (...[options]) => send(id, { path, ...split(options) });
  }

  function write<Id extends OperationId>(id: Id, path?: PathOf<Id>): Write<Id> {
    return (body, settings) => send(id, { path, body, ...settings });
  }

  function act<Id extends OperationId>(id: Id, path?: PathOf<Id>): Act<Id> {
    return (settings) => send(id, { path, ...settings });
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
            query:
              page.pageToken === undefined
                ? { ...rest, limit: page.limit }
                : { pageToken: page.pageToken },
          }),
        { limit, pageToken: begin },
      );
    };
  }

  function resolveNamed<Id extends OperationId>(
    id: Id,
    path?: PathOf<Id>,
  ): Named<ItemOf<Id>>["resolve"] {
    return async (idOrName, settings) => {
      const found: (ItemOf<Id> & { id: string })[] = [];
      for await (const each of list(id, path)({ limit: 100, ...settings } as never)) {
        const item = each as ItemOf<Id> & { id: string; name: string };
        if (item.id === idOrName) return item;
        if (item.name === idOrName) found.push(item);
      }
      return requireOnly(found, idOrName, id);
    };
  }

  return { read, write, act, list, named: resolveNamed };
}

/** @throws {ServiceError} NotFoundError, AmbiguousNameError */
export function requireOnly<Item extends { id: string }>(
  found: readonly Item[],
  name: string,
  operation: OperationId,
): Item {
  const [first, ...others] = found;
  if (first === undefined)
    throw new NotFoundError(`There is no resource with the ID or name ${JSON.stringify(name)}.`, {
      operation,
      status: 404,
    });
  if (others.length === 0) return first;
  const ids = found.map(({ id }) => id);
  throw new AmbiguousNameError(
    `${found.length} items have the name ${JSON.stringify(name)}: use one of the IDs ${ids.join(", ")}.`,
    {
      operation,
      status: 0,
      executed: "no",
      ids,
    },
  );
}

/** Separates the settings of a call from the query of its request. */
export function split<Options extends ReadSettings>(
  options: Options | undefined,
): ReadSettings & { query: Omit<Options, keyof ReadSettings> } {
  const { signal, deadlineMs, cacheTtlSecs, fresh, ...query } = options ?? ({} as Options);
  return { signal, deadlineMs, cacheTtlSecs, fresh, query };
}
