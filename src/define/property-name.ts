/**
 * Gives a property the name that it has in the compiled form: each run of ASCII letters and digits
 * begins with a capital, and
 * the runs are joined (`due-date` becomes `DueDate`). A name without such a run is only trimmed; a
 * colon becomes `_`.
 */
export function normalizePropertyName(name: string): string {
  const trimmed = name.trim();
  const runs = trimmed.length === 1 ? [trimmed] : (trimmed.match(/[A-Za-z0-9]+/g) ?? []);
  const joined = runs.map((run) => run.slice(0, 1).toUpperCase() + run.slice(1)).join("");
  return (joined || trimmed).replace(/:/g, "_");
}

/**
 * The same for each part of a path into nested properties, such as `owner.email` or `tags[*].name`;
 * brackets stay.
 */
export function normalizePropertyPath(path: string): string {
  return path
    .split(".")
    .map((part) => {
      const bracket = part.includes("[") ? part.indexOf("[") : part.length;
      return normalizePropertyName(part.slice(0, bracket)) + part.slice(bracket);
    })
    .join(".");
}
