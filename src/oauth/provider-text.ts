const MAX_CHARACTERS = 300;

/**
 * Text of a provider made safe for terminals and pages: no control, bidirectional or separator characters, at most 300
 * characters (rule 13). Escaping for HTML stays with the page.
 */
export function cleanProviderText(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const clean = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (clean === "") return undefined;
  return clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS)}…` : clean;
}
