import type { RunFailureView, RunView } from "./run.ts";

/** The tools that the server offers to the account. */
export interface McpToolsView {
  /** The run that listed them. */
  run: Pick<RunView, "id" | "requests" | "durationMs">;
  tools: McpToolView[];
  failure: RunFailureView | undefined;
}

export interface McpToolView {
  name: string;
  title: string | undefined;
  description: string;
  /** What the server says about its effects. It may be wrong. */
  effect: "reads" | "deletes" | undefined;
  /** One per argument, in the order of the schema. */
  fields: ToolFieldView[];
  /** The JSON Schema of the arguments, as the server sent it. */
  inputSchema: unknown;
}

/** An argument of a tool. */
export interface ToolFieldView {
  name: string;
  description: string;
  /**
   * `choice`: one of `options` · `json`: a list, an object, or anything else without a field of its
   * own
   */
  kind: "text" | "number" | "choice" | "json";
  /** As people read it: `string`, `integer`, `string list`, `date-time`. */
  type: string;
  isRequired: boolean;
  /** The values to choose from, as JSON. */
  options: string[];
  /** The value that the server uses if there is none, as JSON. */
  fallback: string | undefined;
}
