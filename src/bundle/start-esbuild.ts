import { createRequire } from "node:module";

/** Percent by which the heap of a Go program grows before it is collected; 100 where nothing is said. Of a build nothing else is kept. */
const HEAP_GROWTH = "400";

/**
 * Starts esbuild's own process, so that it is ready when the rest of a command is loaded. It ends with this one. A small build is
 * over before there is anything worth collecting, which would take a third of its processor time.
 */
export function startEsbuild(): void {
  const own = process.env["GOGC"];
  process.env["GOGC"] = own ?? HEAP_GROWTH;
  try {
    // Not an import, which would look through the package for names before anything starts.
    const { initialize } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
    void initialize({}).catch(() => undefined);
  } catch {
    // The build says what is wrong.
  } finally {
    if (own === undefined) delete process.env["GOGC"];
  }
}
