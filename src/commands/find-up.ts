import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest path of this name, in a folder or one above it. */
export function findUp(from: string, name: string): string | undefined {
  const path = join(from, name);
  if (existsSync(path)) return path;
  const parent = dirname(from);
  return parent === from ? undefined : findUp(parent, name);
}
