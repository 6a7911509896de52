/** @returns `new URL(text, base)`, or `undefined` where that throws */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/**
 * Whether `new URL(text, base)` succeeds. In place of `URL.canParse`: once Node 20 and 22 have
 * optimized a caller of it, it reads Latin-1 text as UTF-8 and refuses "https://ä.example/".
 */
export function canParseUrl(text: string, base?: string | URL): boolean {
  return parseUrl(text, base) !== undefined;
}
