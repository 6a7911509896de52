import { pathToFileURL } from "node:url";
import type { Explained } from "../explanations/explained.ts";
import type { Fix, Issue } from "../issue.ts";

export interface SarifOptions {
  /** The version of this package. */
  version: string;
  /** Explains a code: the help of its rule. */
  explain: (code: string) => Explained | undefined;
}

/** Issues as a SARIF 2.1.0 log with one run, in one line: what code scanning services read. */
export function renderSarif(issues: readonly Issue[], { version, explain }: SarifOptions): string {
  const codes = [...new Set(issues.map(({ code }) => code))];
  const run = {
    tool: {
      driver: {
        name: "packsmith",
        version,
        rules: codes.map((code) => toRule(code, explain(code))),
      },
    },
    columnKind: "utf16CodeUnits",
    results: issues.map((issue) => toResult(issue, codes.indexOf(issue.code))),
  };
  return JSON.stringify({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [run],
  });
}

function toRule(id: string, explained: Explained | undefined): object {
  if (explained === undefined) return { id };
  const { meaning, why, bad, good, severity } = explained;
  return {
    id,
    shortDescription: { text: meaning },
    fullDescription: { text: why },
    help: {
      text: `${meaning} ${why}\n\nBad:\n${bad}\n\nGood:\n${good}`,
      markdown: `${meaning} ${why}\n\nBad:\n\n\`\`\`ts\n${bad}\n\`\`\`\n\nGood:\n\n\`\`\`ts\n${good}\n\`\`\``,
    },
    defaultConfiguration: { level: severity },
  };
}

function toResult(issue: Issue, ruleIndex: number): object {
  const { code, severity, message, hint, path, file, line = 1, column = 1, fix } = issue;
  const physicalLocation =
    file === undefined
      ? undefined
      : {
          artifactLocation: { uri: formatUri(file) },
          region: { startLine: line, startColumn: column },
        };
  const logicalLocations = path === "" ? undefined : [{ fullyQualifiedName: path }];
  const hasPlace = physicalLocation !== undefined || logicalLocations !== undefined;
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: hint === "" ? message : `${message} ${hint}` },
    ...(hasPlace ? { locations: [{ physicalLocation, logicalLocations }] } : {}),
    ...(fix === undefined ? {} : { fixes: [toFix(fix)] }),
  };
}

function toFix({ description, edits }: Fix): object {
  const files = [...new Set(edits.map(({ file }) => file))];
  return {
    description: { text: description },
    artifactChanges: files.map((file) => ({
      artifactLocation: { uri: formatUri(file) },
      replacements: edits
        .filter((edit) => edit.file === file)
        .map(({ start, end, text }) => ({
          deletedRegion: { charOffset: start, charLength: end - start },
          ...(text === "" ? {} : { insertedContent: { text } }),
        })),
    })),
  };
}

/** A file as a URI. A relative path stays relative to the folder that the command ran in. */
function formatUri(file: string): string {
  const isAbsolute = file.startsWith("/") || /^[A-Za-z]:[\\/]/.test(file);
  return isAbsolute ? pathToFileURL(file).href : file.split("/").map(encodeURIComponent).join("/");
}
