/** A problem in a definition. Lines and columns count from 1. */
export interface Issue {
  code: string;
  severity: "error" | "warning";
  message: string;
  path: string;
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  hint: string;
  /** A fix that is certainly right; `packsmith validate --fix` applies it. */
  fix?: Fix | undefined;
}

/** A change of the author's source. Its edits belong together and do not overlap. */
export interface Fix {
  /** What it does, such as `Rename cacheTtlSec to cacheTtlSecs.` */
  description: string;
  edits: SourceEdit[];
}

/** Replaces the text from `start` up to `end`: offsets in UTF-16 units. */
export interface SourceEdit {
  file: string;
  start: number;
  end: number;
  text: string;
}

export interface SourceFile {
  path: string;
  text: string;
}
