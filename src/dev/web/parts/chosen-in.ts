/**
 * The options that a cell has. A list is a text with commas, and an option may contain a comma too.
 */
export function chosenIn(value: unknown, choices: readonly string[], isList: boolean): string[] {
  if (Array.isArray(value)) return value.map(String);
  const text = typeof value === "string" ? value : "";
  if (!isList) return text === "" ? [] : [text];
  const parts = text.split(",").map((part) => part.trim());
  const found: string[] = [];
  for (let from = 0; from < parts.length; ) {
    const longest = parts.length - from;
    const length = Array.from({ length: longest }, (_, index) => longest - index).find((count) =>
      choices.some((choice) => sameParts(choice, parts.slice(from, from + count))),
    );
    const own = parts.slice(from, from + (length ?? 1));
    const choice = choices.find((each) => sameParts(each, own)) ?? own[0] ?? "";
    if (choice !== "") found.push(choice);
    from += own.length;
  }
  return found;
}

function sameParts(choice: string, parts: readonly string[]): boolean {
  return (
    choice
      .split(",")
      .map((part) => part.trim())
      .join(",") === parts.join(",")
  );
}
