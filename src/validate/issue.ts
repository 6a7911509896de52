/** A problem of a definition. Lines and columns count from 1. */
export interface Issue {
  code: string;
  severity: "error" | "warning";
  message: string;
  path: string;
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  hint: string;
}

export interface SourceFile {
  path: string;
  text: string;
}
