import { LineCounter, parseDocument, visit } from "yaml";

/** A larger document is for programs, which write JSON. */
const MAX_YAML_BYTES = 5 * 1_024 * 1_024;
/** How much of a document may be repetitions: enough for shared columns, too little for a bomb. */
const MAX_ALIAS_COUNT = 100;
const MAX_PROBLEMS = 20;

/** Parses YAML as a JSON value, or says what is wrong with it. */
export type YamlResult = { ok: true; value: unknown } | { ok: false; problems: string[] };

/**
 * Reads one YAML 1.2 document of the core schema: no tags of its own, no merge keys, no key twice,
 * and little use of aliases.
 * @param maxBytes of the text. @default 5 MiB
 * @returns problems that begin with their line and column, as far as they have one
 */
export function parseYaml(text: string, maxBytes: number = MAX_YAML_BYTES): YamlResult {
  if (Buffer.byteLength(text) > maxBytes)
    return createFailure(`a YAML file can have up to ${maxBytes} bytes; use JSON for a larger one`);
  const lineCounter = new LineCounter();
  try {
    const options = {
      version: "1.2",
      schema: "core",
      uniqueKeys: true,
      stringKeys: true,
      prettyErrors: false,
      logLevel: "error",
    } as const;
    const document = parseDocument(text, { ...options, lineCounter });
    const formatPlace = (offset: number) => {
      const { line, col } = lineCounter.linePos(offset);
      return `line ${line}, column ${col}`;
    };
    // A tag that is not known is a warning there; the value would not be what its author meant.
    const problems = [...document.errors, ...document.warnings].map(
      ({ message, pos: [offset] }) => `${formatPlace(offset)}: ${message}`,
    );
    const anchors = new Set<string>();
    visit(document, {
      Node: (_, node) =>
        void ("anchor" in node && node.anchor !== undefined && anchors.add(node.anchor)),
      Alias(_, { source, range }) {
        if (!anchors.has(source))
          problems.push(
            `${formatPlace(range?.[0] ?? 0)}: There is no anchor "${source}" before this alias`,
          );
      },
    });
    if (problems.length > 0) return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
    // What JSON cannot express is refused: it ends here as null, or as an error when an anchor
    // contains itself.
    return {
      ok: true,
      value: JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIAS_COUNT }))),
    };
  } catch (error) {
    return createFailure(explainYamlError(error));
  }
}

function explainYamlError(error: unknown): string {
  if (error instanceof ReferenceError)
    return "its aliases repeat too much; write the repeated parts out";
  if (error instanceof RangeError) return "it is nested too deeply";
  return "an anchor contains itself";
}

function createFailure(problem: string): YamlResult {
  return { ok: false, problems: [problem] };
}
