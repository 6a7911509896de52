import { usageError } from "../../errors.ts";

/** Which operations of a description to use. Without patterns and tags, all of them. */
export interface OperationChoice {
  /**
   * Patterns for the path, the method and path, or the operation ID. `*` matches within a part of a
   * path, `**` across parts.
   */
  include?: readonly string[] | undefined;
  /** Tags of operations. */
  tags?: readonly string[] | undefined;
}

/** What a choice looks at. */
export interface Choosable {
  method: string;
  path: string;
  operationId: string | undefined;
  tags: readonly string[];
}

/**
 * Chooses operations: those that match one of the patterns and have one of the tags. Ignores case.
 */
export function createChooser({ include = [], tags = [] }: OperationChoice) {
  const patterns = include.map((text) => ({ text, expression: createExpression(text) }));
  const wanted = tags.map((text) => ({ text, name: text.toLowerCase() }));
  const unused = new Set<unknown>([...patterns, ...wanted]);
  const known = new Map<string, string>();
  return {
    isChosen({ method, path, operationId, tags: own }: Choosable): boolean {
      const texts = [
        path,
        `${method} ${path}`,
        ...(operationId === undefined ? [] : [operationId]),
      ];
      const names = own.map((tag) => tag.toLowerCase());
      for (const tag of own) known.set(tag.toLowerCase(), tag);
      const byPattern = patterns.filter(({ expression }) =>
        texts.some((text) => expression.test(text)),
      );
      const byTag = wanted.filter(({ name }) => names.includes(name));
      for (const used of [...byPattern, ...byTag]) unused.delete(used);
      return (
        (patterns.length === 0 || byPattern.length > 0) && (wanted.length === 0 || byTag.length > 0)
      );
    },
    /**
     * Call it after the last operation.
     * @throws {PackError} USAGE_INVALID if a pattern or a tag matched none of them
     */
    requireUsed(): void {
      for (const { text } of patterns.filter((pattern) => unused.has(pattern))) {
        throw usageError(
          `No operation of the description matches --include "${text}".`,
          'Write a path, a method and path, or an operation ID, such as "/tasks/**", "GET /tasks*" or "list*".',
        );
      }
      for (const { text } of wanted.filter((tag) => unused.has(tag))) {
        const names = [...known.values()].sort().slice(0, MAX_SHOWN_TAGS);
        throw usageError(
          `No operation of the description has the tag "${text}".`,
          names.length === 0
            ? "The description has no tags. Use --include."
            : `Use one of these tags: ${names.join(", ")}.`,
        );
      }
    },
  };
}

const MAX_SHOWN_TAGS = 20;

function createExpression(pattern: string): RegExp {
  const source = pattern
    .split(/(\*+)/)
    .map((part, index) =>
      index % 2 === 0
        ? part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
        : part === "*"
          ? "[^/]*"
          : ".*",
    )
    .join("");
  return new RegExp(`^${source}$`, "i");
}
