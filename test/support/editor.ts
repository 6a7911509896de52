import { fileURLToPath } from "node:url";
import ts from "typescript-5.9";
import { typingPaths } from "../../src/bundle/import-names.ts";
import { builtFile } from "../../src/shared/own-package.ts";

export interface Suggestion {
  name: string;
  isDeprecated: boolean;
}

/** What an editor shows for a Pack. `|` in a source is where the author's cursor is. */
export interface Editor {
  program: ts.Program;
  /** The names that are offered, in the order of the editor. */
  suggestions(file: string): Suggestion[];
  /** What the list of suggestions says about one of them. */
  details(file: string, name: string): string;
  /** The text of the hover over the name before the cursor, with its tags. */
  hover(file: string): string;
  /** What the type checker reports, without the cursor. */
  problems(file: string): string[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Opens Packs in the language service of TypeScript, with the built types of both packages.
 * @param sources the Packs by the name of their file, such as `pack.ts`
 * @param modules files of types that the program has, too
 */
export function openEditor(
  sources: Readonly<Record<string, string>>,
  modules: readonly string[] = [],
): Editor {
  const resolvePath = (file: string) => `${root}editor/${file}`;
  const texts = new Map(
    Object.entries(sources).map(([file, source]) => [resolvePath(file), source.replace("|", "")]),
  );
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2022.d.ts"],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: [],
      paths: {
        ...typingPaths("packsmith", builtFile(".")),
        ...typingPaths("@codahq/packs-sdk", builtFile(".")),
      },
    }),
    getScriptFileNames: () => [...texts.keys(), ...modules],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = texts.get(path) ?? ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    readFile: (path) => texts.get(path) ?? ts.sys.readFile(path),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const program = service.getProgram();
  if (program === undefined) throw new Error("The language service has no program.");
  const findCursor = (file: string) => sources[file]?.indexOf("|") ?? -1;
  return {
    program,
    suggestions: (file) => {
      const entries =
        service.getCompletionsAtPosition(resolvePath(file), findCursor(file), {})?.entries ?? [];
      return entries
        .filter(({ kind }) => kind !== ts.ScriptElementKind.keyword)
        .toSorted(
          (one, other) =>
            one.sortText.localeCompare(other.sortText) || one.name.localeCompare(other.name),
        )
        .map(({ name, kindModifiers = "" }) => ({
          name,
          isDeprecated: kindModifiers.split(",").includes("deprecated"),
        }));
    },
    details: (file, name) =>
      shown(
        service.getCompletionEntryDetails(
          resolvePath(file),
          findCursor(file),
          name,
          undefined,
          undefined,
          undefined,
          undefined,
        ),
      ),
    hover: (file) => shown(service.getQuickInfoAtPosition(resolvePath(file), findCursor(file) - 1)),
    problems: (file) =>
      service
        .getSemanticDiagnostics(resolvePath(file))
        .concat(service.getSyntacticDiagnostics(resolvePath(file)))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
  };
}

function shown(info: ts.QuickInfo | ts.CompletionEntryDetails | undefined): string {
  const tags =
    info?.tags?.map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`) ?? [];
  return [ts.displayPartsToString(info?.documentation), ...tags].join("\n").trim();
}
