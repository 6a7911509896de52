import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { BuildOptions, Metafile, Plugin } from "esbuild";
import { type BuildProblem, isPackError } from "../errors.ts";
import { readRegularFile } from "../shared/files.ts";
import { findInstalledPackage, isInPackage } from "../shared/installed-packages.ts";
import { findMappedPackage } from "../shared/package-map.ts";
import {
  createRealPathReader,
  isInside,
  type ProjectBoundary,
  realPath,
} from "../shared/project-boundary.ts";
import { buildFailed } from "./build-problems.ts";
import { build } from "./esbuild.ts";
import { createImportGraph, isOfEsbuild, whyImported } from "./import-graph.ts";
import { isInOwnFolder } from "./own-modules.ts";
import type { SourceMapParts } from "./source-map-text.ts";

const FILE_OUTSIDE_PROJECT = "FILE_OUTSIDE_PROJECT";

/**
 * Finds the files of a build that its Pack must not contain. Allowed are the files of the project,
 * and those of packages that a
 * file of the project, or of another such package, imports by name. The real path of a file counts,
 * so a link cannot bring in others.
 * @param folder absolute path of the folder that the paths of the metafile are relative to
 * @returns one problem for each file, at its import
 */
export function filesOutside(
  metafile: Metafile,
  folder: string,
  boundary: ProjectBoundary,
): BuildProblem[] {
  const entry =
    Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined)
      ?.entryPoint ?? "";
  /** Each allowed file, with the folder of its package; undefined for files of the project. */
  const allowed = new Map<string, string | undefined>([[entry, undefined]]);
  const refused = new Map<string, { importer: string | undefined; specifier: string }>();
  const readRealPath = createRealPathReader();
  const getRealPath = (path: string): string => readRealPath(resolve(folder, path));
  if (!boundary.includes(getRealPath(entry)))
    refused.set(entry, { importer: undefined, specifier: "" });
  const isFile = (path: string): boolean =>
    !isOfEsbuild(path, folder) && !isInOwnFolder(resolve(folder, path));
  const files = new Set(Object.keys(metafile.inputs).filter(isFile));
  for (const [importer, home] of allowed) {
    for (const { path, original, external } of metafile.inputs[importer]?.imports ?? []) {
      // esbuild does not list the files of an import such as `require("./" + name + ".json")`, only
      // its pattern.
      const start =
        external === true && path.includes("*") ? path.slice(0, path.indexOf("*")) : undefined;
      const specifier = original ?? start ?? "";
      const imported =
        start === undefined
          ? [path]
          : filesInside(dirname(resolve(folder, dirname(importer), `${start}*`)));
      for (const file of imported) {
        if (allowed.has(file) || !files.has(file)) continue;
        const owner = findOwner({
          target: getRealPath(file),
          specifier,
          importer: getRealPath(importer),
          home,
          boundary,
          readRealPath,
        });
        if (owner === undefined) refused.set(file, { importer, specifier });
        else allowed.set(file, owner.home);
      }
    }
  }
  for (const path of allowed.keys()) if (path !== entry) refused.delete(path);
  // Nothing is in a bundle that no import explains.
  for (const path of files)
    if (!allowed.has(path) && !refused.has(path))
      refused.set(path, { importer: undefined, specifier: "" });
  const graph = refused.size === 0 ? undefined : createImportGraph(metafile, (path) => path);
  return [...refused].map(([path, { importer, specifier }]) => {
    const chain = graph === undefined ? undefined : whyImported(graph, path);
    return {
      ...foreignFile(boundary, getRealPath(path), (chain ?? [path]).join(" → ")),
      ...findPlace(importer ?? path, specifier, folder),
    };
  });

  function filesInside(parent: string): string[] {
    const parents = [parent, getRealPath(parent)];
    return [...files].filter((file) =>
      parents.some((candidate) => isInside(candidate, resolve(folder, file))),
    );
  }
}

function foreignFile(boundary: ProjectBoundary, target: string, chain: string): BuildProblem {
  const isVaultFile = boundary.isVaultFile(target);
  return {
    message: `The Pack imports a file ${isVaultFile ? "of the vault" : "outside of its project"}: ${chain}`,
    code: FILE_OUTSIDE_PROJECT,
    hint: isVaultFile
      ? "Remove the import. If another author wrote the import, do not use this Pack or package."
      : `Copy the file into ${boundary.root}, or remove the import. Import packages by their name.${workspaceHint(boundary.root, target)}`,
    file: undefined,
    line: undefined,
    column: undefined,
  };
}

/** For code in a folder next to the project: a workspace may contain both. */
function workspaceHint(root: string, target: string): string {
  const parent = dirname(root);
  const isNear = isInside(parent, target) && !isInside(parent, realPath(homedir()));
  return isNear && /\.[cm]?[jt]sx?$/.test(target)
    ? ` If both folders contain your own code, make ${parent} a workspace: write { "private": true, "workspaces": ["*"] } into its package.json.`
    : "";
}

/**
 * Names the files that a Pack must not contain when a build fails in one of them: a message of
 * esbuild about such a file may quote it.
 * Its problems are replaced with that of its import, which takes a second pass in which the file is
 * empty.
 * @returns any other error as it is
 */
export async function withoutForeignProblems(
  error: unknown,
  options: BuildOptions,
  boundary: ProjectBoundary,
): Promise<unknown> {
  if (!isPackError(error, "PACK_BUILD_FAILED")) return error;
  const folder = options.absWorkingDir ?? ".";
  const isForeign = ({ file }: BuildProblem): boolean => {
    if (file === undefined) return false;
    const path = realPath(resolve(folder, file));
    return !boundary.includes(path) && !isInPackage(path) && !isInOwnFolder(path);
  };
  const { problems } = error.details;
  const foreign = problems.filter(isForeign);
  if (foreign.length === 0) return error;
  const files = new Set(foreign.map(({ file = "" }) => realPath(resolve(folder, file))));
  const blank: Plugin = {
    name: "blank",
    setup: ({ onLoad }) =>
      onLoad({ filter: /.*/ }, ({ path }) =>
        files.has(realPath(path)) ? { contents: "", loader: "js" } : undefined,
      ),
  };
  const second = await build({ ...options, plugins: [blank, ...(options.plugins ?? [])] }).catch(
    () => undefined,
  );
  const imports =
    second?.metafile === undefined
      ? []
      : filesOutside(plainPaths(second.metafile, folder), folder, boundary);
  const withoutChain = [...files].map((path) => foreignFile(boundary, path, path));
  return buildFailed(
    [
      ...(imports.length > 0 ? imports : withoutChain),
      ...problems.filter((problem) => !isForeign(problem)),
    ],
    undefined,
  );
}

/**
 * The same metafile with the plain paths of files: esbuild adds the attributes of an import
 * (`a.txt with { type: 'text' }`) and keeps
 * a query (`a.txt?raw`).
 * @param folder absolute path of the folder that the paths are relative to
 */
export function plainPaths(metafile: Metafile, folder: string): Metafile {
  const { inputs, outputs } = metafile;
  const toPlainPath = (path: string): string => {
    const file = path.replace(/ with \{[^{}]*\}$/, "");
    return /[?#]/.test(file) && !existsSync(resolve(folder, file))
      ? file.replace(/[?#].*$/, "")
      : file;
  };
  if (!Object.keys(inputs).some((path) => toPlainPath(path) !== path)) return metafile;
  const merged: Metafile["inputs"] = {};
  for (const [path, input] of Object.entries(inputs)) {
    const imports = input.imports.map((imported) => ({
      ...imported,
      path: toPlainPath(imported.path),
    }));
    merged[toPlainPath(path)] = {
      ...input,
      imports: [...(merged[toPlainPath(path)]?.imports ?? []), ...imports],
    };
  }
  const renameOutput = (output: Metafile["outputs"][string]): Metafile["outputs"][string] => {
    const parts: typeof output.inputs = {};
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      parts[toPlainPath(path)] = {
        bytesInOutput: bytesInOutput + (parts[toPlainPath(path)]?.bytesInOutput ?? 0),
      };
    }
    return { ...output, inputs: parts };
  };
  return {
    inputs: merged,
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([path, output]) => [path, renameOutput(output)]),
    ),
  };
}

/**
 * Removes texts from a source map that esbuild has read from files which are not a part of the
 * bundle: the source map of a package
 * may name any file.
 * @returns the texts that stay, as JSON
 */
export function withoutForeignSources(
  { sources, contents }: SourceMapParts,
  { inputs }: Metafile,
  folder: string,
): string {
  const isKnown = (source: string) => source in inputs || !existsSync(resolve(folder, source));
  const known = sources.map(isKnown);
  if (!known.includes(false)) return contents;
  const texts = JSON.parse(contents) as (string | null)[];
  return JSON.stringify(texts.map((text, index) => (known[index] === false ? null : text)));
}

interface Import {
  /** Real path of the imported file. */
  target: string;
  specifier: string;
  /** Real path of the file that imports it. */
  importer: string;
  /** The folder of the package that imports it; undefined for a file of the project. */
  home: string | undefined;
  boundary: ProjectBoundary;
  readRealPath: (path: string) => string;
}

/**
 * @returns the package that the imported file belongs to; undefined when it must not be imported
 */
function findOwner({
  target,
  specifier,
  importer,
  home,
  boundary,
  readRealPath,
}: Import): { home: string | undefined } | undefined {
  if (boundary.isVaultFile(target)) return undefined;
  const installed = findInstalledPackage(target)?.folder;
  if (home !== undefined && isInside(home, target))
    return { home: installed !== undefined && isInside(home, installed) ? installed : home };
  const isOwn = boundary.includes(target);
  if (isOwn && (home === undefined || installed !== undefined)) return { home: installed };
  const found = resolvedPackage(specifier, importer, home, readRealPath);
  return found !== undefined && isInside(found, target)
    ? { home: isOwn && installed === undefined ? undefined : found }
    : undefined;
}

/**
 * The real folder of the package that a bare specifier names, as Node finds it. A link to a package
 * may be next to a package, where
 * package managers make it, but not in one: a package could point it at any folder.
 */
function resolvedPackage(
  specifier: string,
  importer: string,
  home: string | undefined,
  readRealPath: (path: string) => string,
): string | undefined {
  const name = /^(?:@[^/]+\/)?[^./#@][^/]*/.exec(specifier)?.[0];
  if (name === undefined) return undefined;
  const mapped = findMappedPackage(name, dirname(importer));
  if (mapped !== undefined) return readRealPath(mapped);
  for (let at = dirname(importer); ; at = dirname(at)) {
    const link = join(at, "node_modules", name);
    if (existsSync(join(link, "package.json"))) {
      const folder = readRealPath(link);
      // A package.json in a home folder, or above it, does not make everything in it a package.
      if (isInside(folder, readRealPath(homedir()))) return undefined;
      return home === undefined || !isInside(home, link) || isInside(home, folder)
        ? folder
        : undefined;
    }
    if (dirname(at) === at) return undefined;
  }
}

/**
 * The place of an import in the file that has it. esbuild does not report it when a build succeeds.
 */
function findPlace(
  file: string,
  specifier: string,
  folder: string,
): Pick<BuildProblem, "file" | "line" | "column"> {
  const text = specifier === "" ? "" : readText(resolve(folder, file));
  const at = Math.max(text.indexOf(`"${specifier}"`), text.indexOf(`'${specifier}'`), 0);
  const before = text.slice(0, at);
  return {
    file,
    line: before.split("\n").length,
    column: before.length - before.lastIndexOf("\n"),
  };
}

function readText(path: string): string {
  try {
    return readRegularFile(path).toString();
  } catch {
    return "";
  }
}
