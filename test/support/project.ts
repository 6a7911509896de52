import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTemporaryFolder } from "./temporary-folder.ts";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

export interface ProjectFolder extends Disposable {
  path: string;
  write(path: string, text: string): void;
  read(path: string): string;
}

/**
 * An author's project in a temporary folder.
 * @param typescript which of the installed compilers it has
 */
export function makeProject(
  files: Readonly<Record<string, string>>,
  typescript?: "typescript" | "typescript-5.9" | "typescript-4.9",
): ProjectFolder {
  const folder = makeTemporaryFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (typescript !== undefined) {
    mkdirSync(join(folder.path, "node_modules"), { recursive: true });
    symlinkSync(join(modules, typescript), join(folder.path, "node_modules", "typescript"));
  }
  return {
    path: folder.path,
    write,
    read: (path) => readFileSync(join(folder.path, path), "utf8"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
