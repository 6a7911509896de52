import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { packageRoot, packageVersion } from "../shared/own-package.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** The packsmith that runs, the one that the project's files import, and further copies. */
export function checkPackages({ cwd }: Surroundings): Finding[] {
  const running: Finding = { check: "packages", status: "fine", message: `packsmith ${packageVersion()} runs.` };
  const copies = copiesFor(cwd);
  const [own] = copies;
  const root = realpathSync(packageRoot());
  if (own === undefined) {
    if (cwd.startsWith(root)) return [running];
    return [
      {
        ...running,
        status: "note",
        message: `packsmith ${packageVersion()} runs; none is installed in this project.`,
        hint: "Run npm install --save-dev packsmith, so that everybody who works on it has the same one.",
      },
    ];
  }
  const findings = own.path === root ? [{ ...running, message: `packsmith ${own.version} runs, the project's own.` }] : [otherCopy(own)];
  const others = copies.slice(1);
  if (others.length > 0) {
    const places = [own, ...others].map(({ shown, version }) => `${shown} (${version})`).join(", ");
    findings.push({
      check: "packages",
      status: "warning",
      message: `packsmith is installed ${others.length + 1} times: ${places}.`,
      hint: "Use one version in every package.json, then run npm dedupe.",
    });
  }
  return findings;
}

function otherCopy({ version, shown }: Copy): Finding {
  const own = packageVersion();
  if (version !== own) {
    return {
      check: "packages",
      status: "warning",
      message: `packsmith ${own} runs, but the project's files import ${version} from ${shown}.`,
      hint: "Run npx packsmith, which takes the project's own.",
    };
  }
  return { check: "packages", status: "note", message: `packsmith ${own} runs from outside the project; ${shown} has the same version.` };
}

interface Copy {
  /** Its real folder. */
  path: string;
  version: string;
  /** The folder as seen from the project. */
  shown: string;
}

/** The copy that an import of this folder finds, then those inside other packages; each real folder once. */
function copiesFor(cwd: string): Copy[] {
  const folders = modulesFoldersAbove(cwd);
  const places = [
    ...folders.map((folder) => join(folder, "packsmith")),
    ...folders.flatMap((folder) => packagesOf(folder).map((name) => join(folder, name, "node_modules", "packsmith"))),
  ];
  const found = new Map<string, Copy>();
  for (const place of places) {
    const copy = readCopy(place, cwd);
    if (copy !== undefined && !found.has(copy.path)) found.set(copy.path, copy);
  }
  return [...found.values()];
}

function readCopy(place: string, cwd: string): Copy | undefined {
  try {
    const { version } = JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as { version: unknown };
    return { path: realpathSync(place), version: String(version), shown: relative(cwd, place) };
  } catch {
    return undefined;
  }
}

function modulesFoldersAbove(from: string): string[] {
  const folder = join(from, "node_modules");
  const parent = dirname(from);
  return [...(existsSync(folder) ? [folder] : []), ...(parent === from ? [] : modulesFoldersAbove(parent))];
}

function packagesOf(folder: string): string[] {
  return namesIn(folder).flatMap((name) => (name.startsWith("@") ? namesIn(join(folder, name)).map((inner) => join(name, inner)) : [name]));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}
