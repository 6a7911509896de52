/** Values that a query may hold: arrays become `key[0]=…`, objects `key[member]=…`, null an empty value, undefined nothing. */
export type QueryParams = { readonly [name: string]: QueryValue };
export type QueryValue = string | number | boolean | null | undefined | readonly QueryValue[] | { readonly [name: string]: QueryValue };

/** Adds parameters to a URL, or replaces those of the same name. The rest of its query stays as it is. */
export function withQueryParams(url: string, params: QueryParams = {}): string {
  const [address = "", fragment] = url.split("#", 2);
  const at = address.indexOf("?");
  const path = at < 0 ? address : address.slice(0, at);
  const names = new Set(Object.keys(params).filter((name) => params[name] !== undefined));
  const kept = (at < 0 ? "" : address.slice(at + 1)).split("&").filter((pair) => pair !== "" && !names.has(rootName(pair)));
  const added = Object.entries(params).flatMap(([name, value]) => pairsOf(name, value));
  const query = [...kept, ...added].join("&");
  return `${path}${query === "" ? "" : `?${query}`}${fragment === undefined ? "" : `#${fragment}`}`;
}

/** Reads the query of a URL. Repeated names give arrays, bracketed names arrays and objects. */
export function getQueryParams(url: string): Record<string, unknown> {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? "";
  const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const path = decode(at < 0 ? pair : pair.slice(0, at))
      .split(/\[|\]\[|\]$/)
      .filter((part, index) => index === 0 || part !== "");
    place(result, path, at < 0 ? "" : decode(pair.slice(at + 1)));
  }
  return { ...result };
}

/** Joins parts of a URL with one slash between them; a slash at the very end is kept. No parts give an empty text. */
export function joinUrl(...tokens: string[]): string {
  if (tokens.some((token) => token === "")) throw new Error("joinUrl takes no empty parts");
  return tokens
    .map((token, index) => (index === 0 ? token : token.replace(/^\/+/, "")))
    .map((token, index) => (index === tokens.length - 1 ? token : token.replace(/\/+$/, "")))
    .join("/");
}

function pairsOf(name: string, value: QueryValue): string[] {
  if (value === undefined) return [];
  if (value === null) return [`${encodeURIComponent(name)}=`];
  if (typeof value !== "object") return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
  return Object.entries(value as Record<string, QueryValue>).flatMap(([key, member]) => pairsOf(`${name}[${key}]`, member));
}

function rootName(pair: string): string {
  return decode(pair.split("=", 1)[0] ?? "").split("[", 1)[0] ?? "";
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

function place(target: Record<string, unknown>, [name = "", ...rest]: string[], value: string): void {
  const known = target[name];
  if (rest.length === 0) {
    target[name] = known === undefined ? value : [...(Array.isArray(known) ? (known as unknown[]) : [known]), value];
    return;
  }
  const inner = typeof known === "object" && known !== null ? (known as Record<string, unknown>) : /^\d+$/.test(rest[0] ?? "") ? [] : {};
  // A name such as __proto__ must stay a member.
  Object.defineProperty(target, name, { value: inner, enumerable: true, configurable: true, writable: true });
  place(inner as Record<string, unknown>, rest, value);
}
