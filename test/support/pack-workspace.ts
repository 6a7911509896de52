import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeTemporaryFolder } from "./temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The source of a small Pack of two files. */
export function smallPack(index: number): Record<string, string> {
  return {
    "pack.ts": `import { makeParameter, newPack, ParameterType, ValueType } from "packsmith";
import { greet } from "./lib.ts";

export const pack = newPack();

pack.addFormula({
  name: "Greet",
  description: "Greets someone.",
  parameters: [makeParameter({ type: ParameterType.String, name: "name", description: "Whom to greet." })],
  resultType: ValueType.String,
  execute: async ([name]) => greet(name),
});
`,
    "lib.ts": `export const greet = (name: string): string => \`Hello \${name}, from ${index}\`;\n`,
  };
}

/** A repository of many Packs in `packs/`, in which packsmith is installed by a link. */
export function makePackWorkspace(
  count: number,
  files: { root?: Record<string, string>; packageJson: (name: string) => string },
) {
  const folder = makeTemporaryFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  };
  const names = Array.from(
    { length: count },
    (_, index) => `pack-${String(index + 1).padStart(2, "0")}`,
  );
  for (const [index, name] of names.entries()) {
    for (const [path, text] of Object.entries(smallPack(index)))
      write(`packs/${name}/${path}`, text);
    write(`packs/${name}/package.json`, files.packageJson(name));
  }
  for (const [path, text] of Object.entries(files.root ?? {})) write(path, text);
  mkdirSync(join(folder.path, "node_modules/.bin"), { recursive: true });
  symlinkSync(root, join(folder.path, "node_modules/packsmith"), "junction");
  // What npm makes of the package's "bin".
  write(
    "node_modules/.bin/packsmith",
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/bin/packsmith.cjs")}" "$@"\n`,
  );
  chmodSync(join(folder.path, "node_modules/.bin/packsmith"), 0o755);
  return { path: folder.path, names, write, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
