import { basename } from "node:path";
import type { Issue } from "../validate/issue.ts";
import type { Bundle } from "./bundle.ts";

/** The document service refuses a bundle with one of these texts, wherever it is. */
const REFUSED = /(?<![\w$])(?:eval\(|new Function\()/;

/**
 * Finds what the document service refuses in the text of a bundle. A build reports the same as
 * warnings; call this before an upload.
 * @returns errors with their places in the sources, as `Bundle.issues` has them; none when the
 *   bundle can be uploaded
 */
export function findRefusedText({
  code,
  entry,
  issues,
}: Pick<Bundle, "code" | "entry" | "issues">): Issue[] {
  const [text] = REFUSED.exec(code) ?? [];
  if (text === undefined) return [];
  const places = issues.filter((issue) => issue.code === "CODE_FROM_TEXT");
  if (places.length > 0) return places.map((issue) => ({ ...issue, severity: "error" }));
  // It is part of a text or a comment, or of code that no source map knows.
  const message = `The bundle contains "${text}". The document service rejects a bundle that contains this text.`;
  const hint =
    "Search the Pack and its packages for this text. Change the text, for example split it into two parts.";
  return [
    {
      code: "CODE_FROM_TEXT",
      severity: "error",
      message,
      path: "",
      file: basename(entry),
      line: 1,
      column: 1,
      hint,
    },
  ];
}
