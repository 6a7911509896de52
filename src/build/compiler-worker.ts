// A process of its own: it keeps a TypeScript compiler, so that a check parses only what has
// changed. It starts with the path of the compiler's library, gets the paths of configurations,
// and answers with the text that the compiler would print. It ends with the process that started
// it.
import { createRequire } from "node:module";

/** What a check asks the worker, and what it answers. */
export interface WorkerRequest {
  id: number;
  /** Path of a tsconfig.json. */
  configFile: string;
}

export interface WorkerAnswer {
  id: number;
  output: string;
}

/** The part of the library that is used here. TypeScript 7 has no types for it. */
interface TypeScript {
  sys: System;
  getParsedCommandLineOfConfigFile(path: string, more: object, host: object): Configuration;
  createIncrementalCompilerHost(options: object, system: System): CompilerHost;
  createSemanticDiagnosticsBuilderProgram(
    files: readonly string[],
    options: object,
    host: CompilerHost,
    before: Program | undefined,
    problems: readonly Problem[],
    references: unknown,
  ): Program;
  sortAndDeduplicateDiagnostics(problems: readonly Problem[]): readonly Problem[];
  formatDiagnostics(problems: readonly Problem[], host: object): string;
}
interface System {
  readFile(path: string): string | undefined;
  getCurrentDirectory(): string;
}
interface Configuration {
  fileNames: string[];
  options: { declaration?: boolean; composite?: boolean; noEmit?: boolean };
  errors: Problem[];
  projectReferences: unknown;
}
interface CompilerHost {
  getSourceFile(path: string, how: unknown, ...more: unknown[]): SourceFile | undefined;
  hasInvalidatedResolutions?(path: string): boolean;
}
interface Program {
  getConfigFileParsingDiagnostics(): readonly Problem[];
  getSyntacticDiagnostics(): readonly Problem[];
  getOptionsDiagnostics(): readonly Problem[];
  getGlobalDiagnostics(): readonly Problem[];
  getSemanticDiagnostics(): readonly Problem[];
  getDeclarationDiagnostics(): readonly Problem[];
}
interface Problem {
  category: number;
}
interface SourceFile {
  text: string;
}

interface Kept {
  /** The options of the program, as JSON. */
  options: string;
  program: Program | undefined;
  files: Map<string, SourceFile>;
}

const [, , library = ""] = process.argv;
const ts = createRequire(import.meta.url)(library) as TypeScript;
let kept: Kept = { options: "", program: undefined, files: new Map() };

process.on("message", ({ id, configFile }: WorkerRequest) => {
  const answer: WorkerAnswer = { id, output: check(configFile) };
  process.send?.(answer);
});
process.on("disconnect", () => process.exit());

function check(configFile: string): string {
  const problems: Problem[] = [];
  const { fileNames, options, errors, projectReferences } = ts.getParsedCommandLineOfConfigFile(
    configFile,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (problem: Problem) => void problems.push(problem),
    },
  );
  const described = JSON.stringify({ ...options, configFilePath: undefined });
  if (kept.options !== described)
    kept = { options: described, program: undefined, files: new Map() };
  const program = ts.createSemanticDiagnosticsBuilderProgram(
    fileNames,
    options,
    createHost(options, kept.files),
    kept.program,
    errors,
    projectReferences,
  );
  kept.program = program;
  return ts.formatDiagnostics(
    ts.sortAndDeduplicateDiagnostics([...problems, ...findProblems(program, options)]),
    {
      getCurrentDirectory: () => ts.sys.getCurrentDirectory(),
      getCanonicalFileName: (path: string) => path,
      getNewLine: () => "\n",
    },
  );
}

/** Files with the same text are parsed once. Where an import leads is always looked for again. */
function createHost(options: object, files: Map<string, SourceFile>): CompilerHost {
  const host = ts.createIncrementalCompilerHost(options, ts.sys);
  const readSource = host.getSourceFile.bind(host);
  return {
    ...host,
    hasInvalidatedResolutions: () => true,
    getSourceFile(path, how, ...more) {
      const key = `${path} ${JSON.stringify(how)}`;
      const before = files.get(key);
      if (before !== undefined && before.text === ts.sys.readFile(path)) return before;
      const source = readSource(path, how, ...more);
      if (source === undefined) files.delete(key);
      else files.set(key, source);
      return source;
    },
  };
}

/** The problems that the compiler's command reports: later kinds only without earlier ones. */
function findProblems(
  program: Program,
  { declaration, composite, noEmit }: Configuration["options"],
): readonly Problem[] {
  const ofConfiguration = program.getConfigFileParsingDiagnostics();
  const ofSyntax = program.getSyntacticDiagnostics();
  if (ofSyntax.length > 0) return [...ofConfiguration, ...ofSyntax];
  const general = [
    ...ofConfiguration,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
  ];
  if (general.length > ofConfiguration.length) return general;
  const ofTypes = program.getSemanticDiagnostics();
  const isDeclared = noEmit === true && (declaration === true || composite === true);
  return ofTypes.length > 0 || !isDeclared
    ? [...general, ...ofTypes]
    : [...general, ...program.getDeclarationDiagnostics()];
}
