/** What the browser keeps for the page. A browser may refuse storage: the page works without it. */
export function readStored(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

export function store(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {}
}

/**
 * A choice of the user that stays for all tabs. @returns `otherwise` if it was not made, or has
 * another type
 */
export function readSetting<Value extends boolean | number | string>(
  name: string,
  otherwise: Value,
): Value {
  const kept = readStored(localStorage, createKey(name));
  return typeof kept === typeof otherwise ? (kept as Value) : otherwise;
}

export function keepSetting(name: string, value: boolean | number | string): void {
  store(localStorage, createKey(name), value);
}

function createKey(name: string): string {
  return `packsmith.${name}`;
}
