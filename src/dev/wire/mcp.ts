import * as z from "zod";
import type {
  Elicitation,
  ElicitationAnswer,
  ElicitedValue,
} from "../../execute/mcp/elicitation.ts";
import type { RunFailureView, RunView } from "./run.ts";

export type { ElicitationField, ElicitedValue } from "../../execute/mcp/elicitation.ts";

const elicitedValue: z.ZodType<ElicitedValue> = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()),
]);

/** What the user answers to a question of a server. */
export const questionAnswer: z.ZodType<ElicitationAnswer> = z.discriminatedUnion("action", [
  z.object({ action: z.literal("accept"), content: z.record(z.string(), elicitedValue) }),
  z.object({ action: z.literal("decline") }),
  z.object({ action: z.literal("cancel") }),
]);

/** What a server asks while its tool runs. */
export type QuestionView = Elicitation & {
  id: string;
  /** The run that asks: `Mcp:call:name`. */
  target: string;
};

/** What is wrong with an answer. */
export interface AnswerProblems {
  /** By name of the field. Without a problem, the answer was sent. */
  problems: Record<string, string>;
}

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
