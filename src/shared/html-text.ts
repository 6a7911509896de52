/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Makes text from outside safe for a page: escapes it, removes control and direction characters,
 * limits the length.
 */
export function displayText(text: string, maxLength = 200): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}]/gu, " ");
  return escapeHtml(clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean);
}
