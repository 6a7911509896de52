import type { Format } from "../define/pack.ts";
import type { ExecutionResult } from "./execution-result.ts";
import { type RunOptions, run } from "./run.ts";

/** A column format that is offered for a text. */
export interface FormatMatch {
  /** Name of the format. */
  format: string;
  /** The formula that shows the text, and its arguments. */
  formula: string;
  args: [text: string];
  /** The pattern that the text matches, such as `/^#[0-9]+$/i`. */
  matcher: string;
}

/**
 * Finds the column formats that are offered for a text. The patterns run in the sandbox.
 * @throws {ExecutionFailure}
 */
export async function matchFormat(options: RunOptions & { text: string }): Promise<ExecutionResult<FormatMatch[]>> {
  const { definition } = options.isolate;
  return await run(
    options,
    () => ({ call: { kind: "matchFormats", text: options.text } }),
    (value) =>
      (value as { format: number; matcher: number }[]).map(({ format: index, matcher }) => {
        const format = definition.formats[index] as Format;
        return { format: format.name, formula: format.formulaName, args: [options.text], matcher: String(format.matchers?.[matcher]) };
      }),
  );
}
