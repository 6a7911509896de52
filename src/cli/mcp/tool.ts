import type * as z from "zod";

/** What a tool may do, as the annotations of the protocol say it. */
export interface ToolEffects {
  /** Nothing is written and nothing outside of this machine changes. */
  isReadOnly: boolean;
  /** It may replace or remove something. */
  isDestructive: boolean;
  /** It may send requests to other servers. */
  usesNetwork: boolean;
}

/** Where and until when a tool works. */
export interface ToolCall {
  /** The folder of the project. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** A tool of `packsmith mcp`. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  /** What a call that succeeds answers. */
  output(): Promise<z.ZodType>;
  effects: ToolEffects;
  /** @returns a document like those of `--json` */
  call(input: Readonly<Record<string, unknown>>, call: ToolCall): Promise<object>;
}

/** Reads files of the project and runs Pack code only in its sandbox. */
export const READS: ToolEffects = { isReadOnly: true, isDestructive: false, usesNetwork: false };

/** A tool whose `call` has the type of its input. The server checks the input before the call. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, "input" | "call"> & {
    input: Input;
    call(input: z.output<Input>, call: ToolCall): Promise<object>;
  },
): Tool {
  return { ...tool, call: (input, call) => tool.call(input as z.output<Input>, call) };
}
