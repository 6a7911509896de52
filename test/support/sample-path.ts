/** A path that a pattern of the declared inputs fits. */
export function samplePath(pattern: string): string {
  return pattern
    .replaceAll("**/", "sub/")
    .replace("/**", "/Any.json")
    .replaceAll("*", "any")
    .replace(/\{([^,}]*)[^}]*\}/, "$1");
}
