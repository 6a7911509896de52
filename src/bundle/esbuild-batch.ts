import { dirname, relative, resolve, sep } from "node:path";
import type { Metafile } from "esbuild";
import { commonFolder } from "../shared/folders.ts";
import { build } from "./esbuild.ts";
import { isInjected, mayBeOfEsbuild } from "./import-graph.ts";
import { type EsbuildOutput, type ScriptOptions, scriptOptions } from "./run-esbuild.ts";

/**
 * Bundles several Packs in one pass of esbuild, which reads and parses shared files once. Without
 * code splitting, esbuild links each
 * entry separately, so each output has the same bytes as a build of only that Pack.
 * @param entries absolute paths
 * @returns the outputs by entry. Build a Pack that is missing on its own: then its messages name
 *   only its own files.
 * @throws {BuildFailure} when one of the Packs fails
 */
export async function runEsbuildBatch(
  entries: readonly string[],
  options: ScriptOptions,
): Promise<Map<string, EsbuildOutput>> {
  const outputs = new Map<string, EsbuildOutput>();
  const folder = commonFolder(entries.map(dirname));
  if (folder === undefined) return outputs;
  const script = scriptOptions(options);
  const where = { absWorkingDir: folder, outbase: folder, outdir: folder };
  const {
    outputFiles = [],
    metafile,
    warnings,
  } = await build({ ...script, ...where, entryPoints: [...entries] });
  const files = new Map(outputFiles.map((file) => [file.path, file]));
  const warned = new Set(warnings.map(({ location }) => location?.file));
  for (const [path, output] of Object.entries(metafile?.outputs ?? {})) {
    const entry = resolve(folder, output.entryPoint ?? "");
    const code = files.get(resolve(folder, path));
    const sourceMap = files.get(`${resolve(folder, path)}.map`);
    if (
      metafile === undefined ||
      code === undefined ||
      sourceMap === undefined ||
      !entries.includes(entry)
    )
      continue;
    const inputs = listInputs(
      output.entryPoint ?? "",
      [script.inject ?? []].flat(),
      metafile.inputs,
      folder,
    );
    // A warning without a position may belong to any Pack.
    if (warned.has(undefined) || inputs.some((input) => warned.has(input) || mayBeOfEsbuild(input)))
      continue;
    // The files of `require("./" + name + ".json")` are only in the output.
    const listed = new Set(inputs);
    if (Object.keys(output.inputs).some((input) => !listed.has(input))) continue;
    outputs.set(entry, {
      code,
      sourceMap,
      metafile: cutMetafile(entry, path, inputs, metafile, folder),
      warnings: [],
    });
  }
  return outputs;
}

/** The files that a build of this entry reads, in the order in which they are found. */
function listInputs(
  entry: string,
  injected: readonly string[],
  inputs: Metafile["inputs"],
  folder: string,
): string[] {
  const read = new Set([entry, ...injected.map((path) => toSlashes(relative(folder, path)))]);
  for (const path of read)
    for (const { path: imported } of inputs[path]?.imports ?? [])
      if (!isInjected(imported)) read.add(imported);
  return [...read];
}

/** The metafile of one Pack, with paths relative to the folder of its entry. */
function cutMetafile(
  entry: string,
  path: string,
  inputs: readonly string[],
  metafile: Metafile,
  folder: string,
): Metafile {
  const from = dirname(entry);
  const rename = (input: string): string => toSlashes(relative(from, resolve(folder, input)));
  const output = metafile.outputs[path] as Metafile["outputs"][string];
  return {
    inputs: Object.fromEntries(
      inputs.flatMap((input) => {
        const known = metafile.inputs[input];
        if (known === undefined) return [];
        const imports = known.imports
          .filter((imported) => !isInjected(imported.path))
          .map((imported) => ({ ...imported, path: rename(imported.path) }));
        return [[rename(input), { ...known, imports }]];
      }),
    ),
    outputs: {
      "bundle.js": {
        ...output,
        ...(output.entryPoint === undefined ? {} : { entryPoint: rename(output.entryPoint) }),
        inputs: Object.fromEntries(
          Object.entries(output.inputs).map(([input, part]) => [rename(input), part]),
        ),
      },
    },
  };
}

function toSlashes(path: string): string {
  return path.split(sep).join("/");
}
