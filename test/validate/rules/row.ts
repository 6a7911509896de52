import type { Definition } from "../definitions.ts";

/**
 * Rules, a definition that obeys them, one that breaks them, and what is reported then: code and
 * path.
 */
export type Row = [rules: string, obeys: Definition, breaks: Definition, ...reported: string[]];
