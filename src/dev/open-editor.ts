import { PackError } from "../errors.ts";
import type { DevSessionOptions } from "./session/pack-session.ts";

/** The link that opens a position, unless `PACKSMITH_EDITOR_URL` is set. */
const DEFAULT_TEMPLATE = "vscode://file/{file}:{line}:{column}";

/** A position in a source file. The path is absolute; line and column count from 1. */
export interface EditorPlace {
  file: string;
  line: number;
  column: number;
}

/**
 * The link that opens a position in the author's editor.
 * @param template `PACKSMITH_EDITOR_URL`, such as `idea://open?file={file}&line={line}`
 * @throws {PackError} USAGE_INVALID when the template is not a link to an editor
 */
export function editorLink(
  { file, line, column }: EditorPlace,
  template: string = DEFAULT_TEMPLATE,
): string {
  const isQuery = template.indexOf("?") >= 0 && template.indexOf("?") < template.indexOf("{file}");
  const path = file.replaceAll("\\", "/").split("/").map(encodedSegment).join("/");
  const link = template
    .replaceAll(
      "{file}",
      isQuery
        ? encodeURIComponent(file)
        : path.replace(/^\//, template.includes("/{file}") ? "" : "/"),
    )
    .replaceAll("{line}", String(line))
    .replaceAll("{column}", String(column));
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(template)?.[1]?.toLowerCase();
  // These schemes open a web page or a file, not an editor.
  if (
    scheme !== undefined &&
    !["http", "https", "file", "javascript", "data"].includes(scheme) &&
    template.includes("{file}")
  )
    return link;
  throw new PackError("USAGE_INVALID", "PACKSMITH_EDITOR_URL is not a link that opens an editor.", {
    details: undefined,
    hint: `Use a link such as ${DEFAULT_TEMPLATE}.`,
  });
}

/** Keeps the colon of a drive. Any other colon would begin a line number. */
function encodedSegment(text: string): string {
  return /^[A-Za-z]:$/.test(text) ? text : encodeURIComponent(text);
}

/**
 * Opens a position in the author's editor, through the link that the editor has registered, never
 * through a shell.
 * @throws {PackError} USAGE_INVALID when the template is not a link to an editor
 */
export async function openInEditor(
  { openLink = openLinkOfEditor, editorUrl }: DevSessionOptions,
  place: EditorPlace,
): Promise<void> {
  await openLink(editorLink(place, editorUrl));
}

async function openLinkOfEditor(link: string): Promise<void> {
  const { default: open } = await import("open");
  const launcher = await open(link);
  // If no program is registered for the link, the launcher reports it.
  launcher.once("error", () => {});
  launcher.unref();
}
