import { createRequire } from "node:module";

/** Starts esbuild's own process, so that it is ready when the rest of a command is loaded. It ends with this one. */
export function startEsbuild(): void {
  try {
    // Not an import, which would look through the package for names before anything starts.
    const { initialize } = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
    void initialize({}).catch(() => undefined);
  } catch {
    // The build says what is wrong.
  }
}
