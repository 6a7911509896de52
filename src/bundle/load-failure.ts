import { isPackError, PackError, type SourcePlace } from "../errors.ts";
import type { Issue } from "../validate/issue.ts";
import { positionAt } from "../validate/positions.ts";
import type { Bundle } from "./bundle.ts";
import { getPart, OWN_CODE } from "./bundle-parts.ts";
import { absentWhileLoadingHint } from "./hazard-hints.ts";
import { ownCycle, whyImported } from "./import-graph.ts";

/**
 * A Pack that throws while it loads often uses something that the runtime does not have, or the
 * file that throws is one of several that import each other, so that it runs too early. The hint
 * names what was found. An error in a package is placed at the import of the package.
 */
export function explainLoadFailure(error: unknown, bundle: Bundle): unknown {
  if (!isPackError(error, "PACK_LOAD_FAILED")) return error;
  const { code, details, place } = error;
  const thrownAt = isOfPackage(details.thrownAt) ? details.thrownAt : undefined;
  const absence = absentWhileLoadingHint(
    error.message,
    thrownAt && importedPackage(thrownAt.file, bundle)?.name,
  );
  // With a frame of the author, the author may have called the package with something wrong.
  const isToBlame = thrownAt !== undefined && (isOfPackage(place) || absence !== undefined);
  const hint = isToBlame
    ? "Choose another package or version. The Pack runtime cannot load this package."
    : error.hint;
  return new PackError(
    code,
    isToBlame
      ? `${error.message} (at ${thrownAt.file}:${thrownAt.line}:${thrownAt.column})`
      : error.message,
    {
      details,
      hint: absence ?? explainCause(bundle, error) ?? hint,
      place: isToBlame ? findImport(thrownAt.file, bundle) : place,
      cause: error,
    },
  );
}

function isOfPackage(place: SourcePlace | undefined): place is SourcePlace {
  return place !== undefined && getPart(place.file) !== OWN_CODE;
}

function explainCause(
  { issues, imports }: Bundle,
  { message, place }: PackError<"PACK_LOAD_FAILED">,
): string | undefined {
  const [hazard] = issues.filter(({ code }) => code !== "BUILD_WARNING");
  if (hazard !== undefined)
    return `Look at ${hazard.file}:${hazard.line}:${hazard.column} (${hazard.code}): ${hazard.message}`;
  if (place === undefined || getPart(place.file) !== OWN_CODE) return undefined;
  // A file that runs too early finds undefined, or a name that it cannot access yet.
  const [, absent] = /(?:^|\s)([\w$]+) is not defined$/.exec(message) ?? [];
  if (absent !== undefined)
    return `Define or import ${absent}. A declaration of its type, such as declare const ${absent}, does not create the value.`;
  const cycle = ownCycle(imports, place.file);
  return cycle === undefined
    ? undefined
    : `These files import each other, so one file runs before the other file is ready: ${cycle.join(" → ")}.`;
}

/** The package that the author's own code imports, and that leads to a file or another package. */
function importedPackage(
  wanted: string,
  { imports }: Bundle,
): { name: string; importer: string | undefined } | undefined {
  const chain = whyImported(imports, wanted) ?? [];
  const first = chain.findIndex((each) => getPart(each) !== OWN_CODE);
  return first < 0 ? undefined : { name: getPart(chain[first] ?? ""), importer: chain[first - 1] };
}

/** Where the author's own code imports the package that leads to a file or another package. */
export function findImport(wanted: string, bundle: Bundle): SourcePlace | undefined {
  const { name, importer } = importedPackage(wanted, bundle) ?? {};
  const source = bundle.sources.find(({ path }) => path === importer);
  const texts = [...(source?.text.matchAll(/(["'])([^"'\n]+)\1/g) ?? [])];
  const specifier = texts.find(([, , text = ""]) => text === name || text.startsWith(`${name}/`));
  return source === undefined || specifier === undefined
    ? undefined
    : positionAt(source, specifier.index);
}

/** Packages make objects of these while they load, and use them later. */
const CLASSES = ["TextDecoder", "AbortController"];

/** @returns the class that the Pack runtime does not have, and for which a Pack does not load */
export function findAbsentClass(error: unknown): string | undefined {
  if (!isPackError(error, "PACK_LOAD_FAILED")) return undefined;
  return CLASSES.find((name) => error.message.includes(`${name} is not defined`));
}

/** @returns the code with a class whose objects fail when they are used; its lines stay the same */
export function withClass(name: string, code: string): string {
  const failing = `() => { throw new ReferenceError("${name} is not defined"); }`;
  return `globalThis.${name} = class { constructor() { return new Proxy(this, { get: ${failing} }); } };${code}`;
}

/** The failure as a warning: a Pack that was written for another tool still builds. */
export function absentClassIssue(error: unknown): Issue {
  const { message, hint = "", place } = error as PackError;
  return {
    code: "GLOBAL_ABSENT",
    severity: "warning",
    message,
    path: "",
    hint: `It is built, but does not run. ${hint}`.trim(),
    ...(place === undefined ? {} : { file: place.file, line: place.line, column: place.column }),
  };
}
