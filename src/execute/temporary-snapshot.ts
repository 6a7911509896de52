/** Stands in until src/define/snapshot.ts arrives: JSON with functions as markers. Self-contained; a throwing getter fails the load. */
export function encodeSnapshot(value: unknown): string {
  const seen: object[] = [];
  const copy = (at: unknown): unknown => {
    if (typeof at === "function") return { $function: String(at.name) };
    if (at instanceof RegExp) return { $pattern: String(at) };
    if (typeof at !== "object" || at === null) return typeof at === "bigint" || typeof at === "symbol" ? null : at;
    if (seen.includes(at)) return null;
    seen.push(at);
    const result = Array.isArray(at)
      ? at.map(copy)
      : Object.fromEntries(Object.keys(at).map((key) => [key, copy((at as Record<string, unknown>)[key])]));
    seen.pop();
    return result;
  };
  return JSON.stringify(copy(value)) ?? "null";
}

export function decodeSnapshot(text: string): unknown {
  return JSON.parse(text, (_key, value) => (typeof value === "object" && value !== null && "$function" in value ? () => undefined : value));
}
