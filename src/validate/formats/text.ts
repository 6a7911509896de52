import type { Issue } from "../issue.ts";
import { codeFrame } from "./code-frame.ts";

export interface TextOptions {
  /** Marks a part of the text, for a terminal with colours. @default the text as it is */
  style?: ((tone: "bad" | "warning" | "quiet" | "strong", text: string) => string) | undefined;
  /**
   * Returns the text of a file, to show the line of an issue. Without it, each issue is one line.
   */
  sourceOf?: ((file: string) => string | undefined) | undefined;
  /** Columns of the terminal. @default 100 */
  width?: number | undefined;
}

/**
 * Issues for a person: place, severity, code, message and hint. One line each, with the first and
 * the last line of a message, which is its reason. With `sourceOf`, also the line of the source, a
 * mark under the place, and all lines of a message.
 */
export function renderText(issues: readonly Issue[], options: TextOptions = {}): string {
  const texts = inReadingOrder(withPaths(issues)).map((issue) =>
    options.sourceOf === undefined ? compact(issue, options) : formatFramed(issue, options),
  );
  return texts.map((text) => `${text}\n`).join(options.sourceOf === undefined ? "" : "\n");
}

/**
 * A line of the source may make several parts of the definition, such as a schema of two tables:
 * their messages name the part.
 */
function withPaths(issues: readonly Issue[]): Issue[] {
  const formatKey = ({ file, line, column, code, message }: Issue): string =>
    JSON.stringify([file, line, column, code, message]);
  const pathsOf = new Map<string, Set<string>>();
  for (const issue of issues)
    pathsOf.set(formatKey(issue), (pathsOf.get(formatKey(issue)) ?? new Set()).add(issue.path));
  return issues.map((issue) => {
    const isAmbiguous =
      issue.file !== undefined &&
      issue.path !== "" &&
      (pathsOf.get(formatKey(issue))?.size ?? 0) > 1;
    return isAmbiguous
      ? { ...issue, message: issue.message.replace(/$/m, ` (${issue.path})`) }
      : issue;
  });
}

/** File by file, each from top to bottom. */
function inReadingOrder(issues: readonly Issue[]): Issue[] {
  const files = [...new Set(issues.map(({ file }) => file))];
  return [...issues].sort(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

function compact(issue: Issue, options: TextOptions): string {
  const hint =
    issue.hint === "" ? "" : `  ${applyStyle(options, "quiet", "→")} ${oneLine(issue.hint)}`;
  return `${formatHead(issue, options)}${formatReason(issue.message)}${hint}`;
}

/** The last line of a reason of the compiler, with the property that the lines before it lead to. */
function formatReason(message: string): string {
  const [, ...lines] = message.split("\n").map((line) => line.trim());
  const reason = lines.at(-1);
  if (reason === undefined) return "";
  const names = lines.flatMap((line) => {
    const [, name] =
      /^(?:Types of property|The types of|The types returned by) '(.*)' are incompatible/.exec(
        line,
      ) ?? [];
    return name ?? [];
  });
  return names.length === 0 ? ` ${reason}` : ` In '${names.join(".")}': ${reason}`;
}

function formatFramed(issue: Issue, options: TextOptions): string {
  const { file, line, column = 1, hint, fix } = issue;
  const source = file === undefined || line === undefined ? undefined : options.sourceOf?.(file);
  const frame =
    source === undefined || line === undefined
      ? undefined
      : codeFrame(source, { line, column }, options.width ?? 100);
  const [, ...details] = issue.message.split("\n");
  const lines = [formatHead(issue, options), ...details.map((line) => `  ${line}`)];
  for (const { gutter, text, isMark } of frame ?? []) {
    lines.push(
      `${applyStyle(options, "quiet", gutter)}${isMark ? applyStyle(options, getTone(issue), text) : text}`,
    );
  }
  const repair =
    fix === undefined ? "" : applyStyle(options, "quiet", "  (packsmith validate --fix does this)");
  if (hint !== "") lines.push(`  ${applyStyle(options, "quiet", "→")} ${oneLine(hint)}${repair}`);
  return lines.join("\n");
}

function formatHead(issue: Issue, options: TextOptions): string {
  const { file, line = 1, column = 1, path, severity, code, message } = issue;
  const place = file === undefined ? path : `${file === "" ? "." : file}:${line}:${column}`;
  const lead = place === "" ? "" : `${place}  `;
  return `${lead}${applyStyle(options, getTone(issue), severity)}  ${applyStyle(options, "strong", code)}  ${message.split("\n", 1)[0]}`;
}

const getTone = ({ severity }: Issue): "bad" | "warning" =>
  severity === "error" ? "bad" : "warning";

function applyStyle(
  { style }: TextOptions,
  tone: "bad" | "warning" | "quiet" | "strong",
  text: string,
): string {
  return style === undefined ? text : style(tone, text);
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}
