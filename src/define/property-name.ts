/**
 * Returns the name of a property in the compiled definition: the parts between characters other than ASCII letters
 * and digits, each with a capital, joined (`due-date` becomes `DueDate`). A name without such letters only loses its colons.
 */
export function normalizePropertyName(name: string): string {
  const trimmed = name.trim();
  if (!/[A-Za-z0-9]/.test(trimmed)) return name.replace(/:/g, "_");
  return trimmed
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
}

/** Does the same for each part of a path into nested properties, such as `owner.email` or `tags[*].name`. Brackets stay. */
export function normalizePropertyPath(path: string): string {
  return path
    .split(".")
    .map((part) => {
      const [, name = part, brackets = ""] = /^([^[]*)((?:\[[^\]]*\])*)$/.exec(part) ?? [];
      return normalizePropertyName(name) + brackets;
    })
    .join(".");
}
