/** A failure as a page shows it: what every request that fails answers with. */
export interface FailureView {
  code: string;
  message: string;
  hint?: string | undefined;
  /** A clause of a standard. */
  rule?: string | undefined;
  /** Where the definition decides about it. */
  place?: { file: string; line: number; column: number } | undefined;
}
