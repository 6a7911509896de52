import { execFileSync } from "node:child_process";
import type { Measurement } from "./section.ts";

/** In a process of its own: what the other sections left in the heap is none of it. */
export async function measureRuns(): Promise<Measurement[]> {
  return JSON.parse(
    execFileSync(process.execPath, [process.argv[1] ?? "", "run-path-measurements"], {
      encoding: "utf8",
    }),
  ) as Measurement[];
}
