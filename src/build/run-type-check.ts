import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDebugLog } from "../shared/debug-log.ts";
import { createSourceReader } from "../shared/files.ts";
import { formatSeconds, uptimeMs } from "../shared/time.ts";
import type { Issue } from "../validate/issue.ts";
import { type BuildInfo, withBuildInfo } from "./build-info.ts";
import type { ResidentCompiler } from "./resident-compiler.ts";
import { type CompilerRun, MAX_OUTPUT, runCompiler } from "./run-compiler.ts";
import type { CachedCheck } from "./type-cache.ts";
import { makeConfigFolder, type TypeConfiguration, type TypeProject } from "./type-config.ts";
import { parseDiagnostics, toTypeIssues, typeCheckFailure } from "./type-issues.ts";

const debug = createDebugLog("build");

interface RunTypeCheckOptions {
  cwd: string;
  timeoutMs: number;
  configuration: TypeConfiguration;
  /** Where the result is kept, if it is. */
  cached: CachedCheck | undefined;
  resident?: ResidentCompiler | undefined;
}

/** Checks the types of a project with its compiler, and keeps the result. */
export async function runTypeCheck(
  project: TypeProject,
  options: RunTypeCheckOptions,
): Promise<Issue[]> {
  const { cwd, timeoutMs, configuration, cached } = options;
  using folder = makeConfigFolder(dirname(project.config ?? project.entries[0] ?? cwd));
  using info = cached?.openBuildInfo();
  const configFile = join(folder.path, "tsconfig.json");
  writeFileSync(configFile, JSON.stringify(withBuildInfo(configuration, info)));
  const startedMs = uptimeMs();
  const run = await runOnce(project, configFile, { ...options, info });
  debug(
    () =>
      `type check: TypeScript ${project.version}, ${project.entries.length} entries, ${project.config ?? "no tsconfig.json"} in ${Math.round(uptimeMs() - startedMs)} ms`,
  );
  const fail = (message: string): Issue[] => [typeCheckFailure(project, message, cwd)];
  if (run.isTimeout) return fail(`TypeScript did not finish within ${formatSeconds(timeoutMs)}.`);
  if (isUnexplained(run))
    return fail(
      project.isTrusted
        ? `TypeScript exited with code ${run.code ?? "none"} and reported nothing.`
        : "TypeScript stopped while it was checking the types. It can use at most 768 MB of memory, because you do not trust this folder.",
    );
  const sourceOf = createSourceReader(cwd);
  const issues = parseDiagnostics(run.output).flatMap((diagnostic) =>
    toTypeIssues(diagnostic, project, configFile, cwd, sourceOf),
  );
  if (run.isTraced) {
    const finished = { output: run.output, configFile };
    const untracked = cached?.describeUntracked(finished);
    if (untracked !== undefined) info?.keep(untracked);
    cached?.keep({ ...finished, issues });
  }
  return issues;
}

/** These show what the compiler read and looked for. */
const TRACE_FLAGS = ["--traceResolution", "--listFiles"];

/** Asks the compiler that stays, or runs one, with a trace for the cache. */
async function runOnce(
  { compiler, version, isTrusted }: TypeProject,
  configFile: string,
  { cwd, timeoutMs, cached, info, resident }: RunTypeCheckOptions & { info: BuildInfo | undefined },
): Promise<CompilerRun & { isTraced: boolean }> {
  const kept = await resident?.check({
    compiler,
    version,
    isTrusted,
    configFile,
    cwd,
    timeoutMs,
  });
  if (kept !== undefined) return { ...kept, isTraced: false };
  const run = (flags: readonly string[]): Promise<CompilerRun> =>
    runCompiler(compiler, ["--project", configFile, ...flags], { cwd, timeoutMs, isTrusted });
  const flags = cached === undefined ? [] : TRACE_FLAGS;
  // TypeScript 7 does not check again what depends on a declaration that files do not import, or on
  // a file that it only found.
  const isForgetful = info?.isKnown === true && version.startsWith("7.");
  if (isForgetful && cached?.areAsDescribed(info.mark) !== true) info.forget();
  let result = await run(flags);
  const hasOthers = (): boolean =>
    cached?.describeUntracked({ output: result.output, configFile }) !== info?.mark;
  // The compiler may fail because of what it has kept.
  if (info?.isKnown === true && (isUnexplained(result) || (isForgetful && hasOthers()))) {
    info.forget();
    result = await run(flags);
  }
  // The problems come after the trace, which is too long for the limit in very large projects.
  const isComplete = result.output.length < MAX_OUTPUT;
  if (!isComplete) result = await run([]);
  return { ...result, isTraced: isComplete && cached !== undefined };
}

function isUnexplained({ code, output, isTimeout }: CompilerRun): boolean {
  return !isTimeout && code !== 0 && parseDiagnostics(output).length === 0;
}
