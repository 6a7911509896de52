import type { Envelope } from "../../contract/models/model.ts";
import { type ListParameters, readToken, writeToken } from "./page-token.ts";
import type { ServiceCall } from "./service-call.ts";

export interface ListOptions<Item> {
  /** Reads the parameters of the query; not called for a request with a page token (decision 1). */
  parameters(): ListParameters & { limit: number };
  /** The snapshot that a new listing reads, and keeps for its later pages (decision 5). @default items as they are now */
  seq?: number | undefined;
  /** All items in their order. */
  items(parameters: ListParameters, seq: number): Promise<readonly Item[]> | readonly Item[];
  /** What the items are ordered by. */
  keyOf(item: Item, parameters: ListParameters): readonly [value: string | number, id: string];
  render(item: Item, parameters: ListParameters): object;
}

/** Answers with one page of a list that is small enough to be held in memory. */
export async function listResponse<Item>(call: ServiceCall, options: ListOptions<Item>): Promise<Envelope<object>> {
  const pageToken = call.query.get("pageToken");
  const content = pageToken === null ? undefined : readToken(call, pageToken, "page");
  const parameters = content?.parameters ?? options.parameters();
  const seq = content?.seq ?? options.seq ?? 0;
  const all = await options.items(parameters, seq);
  const after = content?.after;
  const rest = after === undefined ? all : all.filter((item) => isAfter(options.keyOf(item, parameters), after));
  const page = rest.slice(0, Number(parameters["limit"]));
  const last = page.at(-1);
  const next =
    last === undefined || page.length === rest.length
      ? undefined
      : writeToken(call, { use: "page", parameters, seq, after: options.keyOf(last, parameters) });
  return { items: page.map((item) => options.render(item, parameters)), ...listLinks(call, parameters, next) };
}

/** The links of a list (decisions 8 and 9). */
export function listLinks(call: ServiceCall, parameters: ListParameters, nextPageToken: string | undefined) {
  const url = `${call.root}${call.path}`;
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]));
  return {
    href: `${url}?${query}`,
    ...(nextPageToken === undefined ? {} : { nextPageToken, nextPageLink: `${url}?pageToken=${encodeURIComponent(nextPageToken)}` }),
  };
}

function isAfter(key: readonly [string | number, string], last: readonly [string | number, string]): boolean {
  return key[0] === last[0] ? key[1] > last[1] : key[0] > last[0];
}
