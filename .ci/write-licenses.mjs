import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Writes the licences of the packages that were bundled into the files of a folder.
 * @param packages their folders, from the root of the repository
 */
export function writeLicenses(folder, packages) {
  const licenses = packages.map(
    (path) => `${path.split("node_modules/").at(-1)}\n\n${licenseOf(join(root, path))}\n`,
  );
  writeFileSync(
    join(folder, "LICENSES.txt"),
    `Parts of these packages are contained in this folder.\n\n${licenses.join("\n---\n\n")}`,
  );
}

function licenseOf(folder) {
  for (const name of [
    "LICENSE",
    "LICENSE.md",
    "license",
    "LICENCE",
    "LICENSE-MIT.txt",
    "LICENSE.txt",
  ]) {
    try {
      return readFileSync(join(folder, name), "utf8").trim();
    } catch {}
  }
  const { license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `${license}, ${typeof author === "string" ? author : (author?.name ?? "its authors")}`;
}
