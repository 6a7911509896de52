import { PackError } from "../errors.ts";

/** What an editor opens a place with, unless `PACKSMITH_EDITOR_URL` says otherwise. */
const DEFAULT_TEMPLATE = "vscode://file/{file}:{line}:{column}";

/** A place in a source file; the path is absolute. Lines and columns count from 1. */
export interface EditorPlace {
  file: string;
  line: number;
  column: number;
}

/**
 * The link that opens a place in the author's editor.
 * @param template `PACKSMITH_EDITOR_URL`, such as `idea://open?file={file}&line={line}`
 * @throws {PackError} USAGE_INVALID when the template is no link of a program
 */
export function editorLink({ file, line, column }: EditorPlace, template: string = DEFAULT_TEMPLATE): string {
  const isQuery = template.indexOf("?") >= 0 && template.indexOf("?") < template.indexOf("{file}");
  const path = file.replaceAll("\\", "/").split("/").map(encodedSegment).join("/");
  const link = template
    .replaceAll("{file}", isQuery ? encodeURIComponent(file) : path.replace(/^\//, template.includes("/{file}") ? "" : "/"))
    .replaceAll("{line}", String(line))
    .replaceAll("{column}", String(column));
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(template)?.[1]?.toLowerCase();
  // What a web page or a file would open is no editor.
  if (scheme !== undefined && !["http", "https", "file", "javascript", "data"].includes(scheme) && template.includes("{file}")) return link;
  throw new PackError("USAGE_INVALID", "PACKSMITH_EDITOR_URL is no link that opens an editor.", {
    details: undefined,
    hint: `Write it like ${DEFAULT_TEMPLATE}.`,
  });
}

/** The colon of a drive stays; any other would be read as the beginning of a line number. */
function encodedSegment(text: string): string {
  return /^[A-Za-z]:$/.test(text) ? text : encodeURIComponent(text);
}

/** Opens a place in the author's editor, through the link that the editor has registered; never through a shell (rule 29). */
export async function openEditor(link: string): Promise<void> {
  const { default: open } = await import("open");
  const launcher = await open(link);
  // Where nothing is registered for such links, the launcher says so by itself.
  launcher.once("error", () => {});
  launcher.unref();
}
