/** Stands in until src/validate/issue.ts arrives. */
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
