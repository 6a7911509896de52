import type { Definition } from "../definitions.ts";

/** Rule, a definition that obeys it, one that breaks it, and what is reported then. */
export type Row = [rule: string, obeys: Definition, breaks: Definition, ...reported: string[]];
