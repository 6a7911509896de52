import { type ReaderOptions, runReader } from "../../src/shared/run-reader.ts";

/** A program that shared-reader.ts asks this process to run. */
export interface ReaderRequest {
  id: number;
  command: readonly [program: string, ...args: string[]];
  options: ReaderOptions;
}

/** What it printed, or the members of the error. */
export interface ReaderAnswer {
  id: number;
  text?: string;
  failure?: { message: string };
}

process.on("message", ({ id, command, options }: ReaderRequest) => {
  const send = (answer: Omit<ReaderAnswer, "id">) => process.send?.({ id, ...answer });
  runReader(command, options).then(
    (text) => send({ text }),
    (error: Error) => send({ failure: { ...error, message: error.message } }),
  );
});
// What still runs ends with the process of the tests.
process.on("disconnect", () => process.exit());
