// Uses neither URL nor URLSearchParams, because the Pack runtime has neither.

/** The value of a query parameter. */
export type QueryValue =
  | string
  | number
  | boolean
  | Date
  | null
  | undefined
  | readonly QueryValue[]
  | { readonly [name: string]: QueryValue };
/** The parameters of a query, by name. */
export type QueryParams = { readonly [name: string]: QueryValue };

/**
 * Adds query parameters to a URL, or replaces parameters with the same name. Other parameters do
 * not change. `undefined` removes a parameter. `null` becomes `key=`. An array becomes `key[0]=…`.
 * An object becomes `key[sub]=…`.
 * @example
 * ```ts
 * const url = withQueryParams("https://api.example.com/tasks?page=1", { page: 2, status: "open" });
 * // https://api.example.com/tasks?page=2&status=open
 * ```
 */
export function withQueryParams(url: string, params: QueryParams = {}): string {
  const { base, query, hash } = splitUrl(url);
  const replaced = new Set(Object.keys(params));
  const kept = query.filter((pair) => !replaced.has(parsePath(pair)[0] ?? ""));
  const text = [
    ...kept,
    ...Object.entries(params).flatMap(([name, value]) => pairs(name, value)),
  ].join("&");
  return base + (text === "" ? "" : `?${text}`) + hash;
}

/**
 * Reads the query parameters of a URL. Repeated names become arrays. Names with brackets become
 * objects or arrays.
 * @example
 * ```ts
 * const { page } = getQueryParams("https://api.example.com/tasks?page=2"); // "2"
 * ```
 */
export function getQueryParams(url: string): Record<string, unknown> {
  const members = splitUrl(url).query.map(
    (pair): Member => ({ path: parsePath(pair), value: decode(pair.replace(/^[^=]*=?/, "")) }),
  );
  return Object.fromEntries(groups(members));
}

/**
 * Joins the parts of a URL with slashes. The result ends with a slash only if the last part ends
 * with a slash.
 * @throws {Error} when a part is empty
 * @example
 * ```ts
 * const url = joinUrl("https://api.example.com/", "/tasks", "7");
 * // https://api.example.com/tasks/7
 * ```
 */
export function joinUrl(...tokens: string[]): string {
  if (tokens.some((token) => typeof token !== "string" || token === ""))
    throw new Error("joinUrl takes no empty parts");
  const [first = "", ...others] = tokens;
  return others.reduce(
    (url, token) => `${url}${url.endsWith("/") ? "" : "/"}${token.replace(/^\/+/, "")}`,
    first,
  );
}

interface Member {
  path: string[];
  value: string;
}

function splitUrl(url: string): { base: string; query: string[]; hash: string } {
  const [, base = "", query = "", hash = ""] = /^([^?#]*)(\?[^#]*)?(#[\s\S]*)?$/.exec(url) ?? [];
  return { base, query: query.slice(1).split("&").filter(Boolean), hash };
}

function pairs(name: string, value: unknown): string[] {
  // JSON has no numbers for NaN and infinity.
  const plain =
    value instanceof Date
      ? value.toISOString()
      : typeof value === "number" && !Number.isFinite(value)
        ? null
        : value;
  if (plain === undefined) return [];
  if (plain === null) return [`${encodeURIComponent(name)}=`];
  if (typeof plain !== "object")
    return [`${encodeURIComponent(name)}=${encodeURIComponent(String(plain))}`];
  return Object.entries(plain).flatMap(([key, member]) => pairs(`${name}[${key}]`, member));
}

function decode(text: string): string {
  const spaced = text.replace(/\+/g, " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** `a[b][]` → `["a", "b", ""]` */
function parsePath(pair: string): string[] {
  const [name = ""] = pair.split("=", 1);
  const [, root = "", rest = ""] = /^([^[]*)((?:\[[^\]]*\])*)$/.exec(decode(name)) ?? [
    undefined,
    decode(name),
  ];
  return [root, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, key = ""]) => key)];
}

function groups(members: readonly Member[]): Map<string, unknown> {
  const byName = new Map<string, Member[]>();
  for (const { path, value } of members) {
    const [name = "", ...rest] = path;
    byName.set(name, [...(byName.get(name) ?? []), { path: rest, value }]);
  }
  return new Map([...byName].map(([name, group]) => [name, collapse(group)]));
}

function collapse(members: readonly Member[]): unknown {
  const values = members.filter(({ path }) => path.length === 0).map(({ value }) => value);
  const nested = members.filter(({ path }) => path.length > 0);
  if (nested.length === 0) return values.length === 1 ? values[0] : values;
  const inner = groups(nested);
  const isList = [...inner.keys()].every((key, index) => key === "" || key === String(index));
  const value = isList ? [...inner.values()].flat(1) : Object.fromEntries(inner);
  return values.length === 0 ? value : [...values, value].flat(1);
}
