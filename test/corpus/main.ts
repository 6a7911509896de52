// Compares packsmith with `@codahq/packs-sdk` over a folder of checked-out repositories:
//   npm run corpus -- FOLDER_OF_REPOSITORIES FOLDER_FOR_RESULTS [NAMES]
// Each is copied, its packages are installed, its Packs are built with both tools, its types are
// checked and its suite is run. The result of a repository is a file, so a run that was stopped
// goes on where it was; delete the file to try that repository again. Needs Node 22.18 or later.
// PACKSMITH_ORACLE names the folder with the published package.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { hasPublishedPackage } from "../oracle/published-package.ts";
import { type Comparison, compareBuilds } from "./compare-builds.ts";
import { listNewTypeErrors } from "./count-type-errors.ts";
import {
  installTools,
  listProjects,
  listRepositories,
  type Project,
  prepareRepository,
  type Repository,
  type Tools,
} from "./repository.ts";
import { findSuite, runSuites } from "./run-suite.ts";
import { type ProjectResult, printTable, type RepositoryResult } from "./table.ts";

const run = promisify(execFile);
const [corpus, results, ...names] = process.argv.slice(2);

if (corpus === undefined || results === undefined)
  throw new Error("Say which folder has the repositories, and which one receives the results.");
if (!hasPublishedPackage) throw new Error("Set PACKSMITH_ORACLE: it names the published package.");
await main(resolve(corpus), resolve(results), names);
process.exit();

async function main(from: string, work: string, only: readonly string[]): Promise<void> {
  mkdirSync(join(work, "results"), { recursive: true });
  const tools = await installTools(process.cwd(), work);
  const all: RepositoryResult[] = [];
  for (const repository of listRepositories(from, work)) {
    if (only.length > 0 && !only.includes(repository.name)) continue;
    const file = join(work, "results", `${repository.name}.json`);
    if (!existsSync(file)) {
      process.stderr.write(`${repository.name}\n`);
      const result = await examine(repository, tools, work);
      writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
    }
    all.push(JSON.parse(readFileSync(file, "utf8")) as RepositoryResult);
  }
  console.log(printTable(all));
}

async function examine(
  repository: Repository,
  tools: Tools,
  work: string,
): Promise<RepositoryResult> {
  const { name } = repository;
  const projects = listProjects(repository.source);
  try {
    await prepareRepository(repository, projects, tools);
    const found: ProjectResult[] = [];
    for (const project of projects)
      found.push(await examineProject(repository, project, tools, join(work, "out", name)));
    return { name, projects: found };
  } catch (error) {
    return { name, projects: [], problem: String(error).slice(0, 2_000) };
  }
}

async function examineProject(
  repository: Repository,
  { folder, entries }: Project,
  tools: Tools,
  out: string,
): Promise<ProjectResult> {
  const [ours, theirs] = [join(repository.ours, folder), join(repository.theirs, folder)];
  const command = join(ours, "node_modules/packsmith/dist/bin/packsmith.cjs");
  await run(process.execPath, [command, "init", ".", "--yes", "--json"], { cwd: ours });
  const builds: Comparison[] = [];
  for (const entry of entries)
    builds.push(
      await compareBuilds(relative(folder, entry), { ours, theirs, out: join(out, folder) }),
    );
  const compiler = join(process.cwd(), "node_modules/typescript-5.9/bin/tsc");
  const types = await listNewTypeErrors({ ours, theirs }, compiler);
  const script = findSuite(theirs);
  if (script === undefined) return { folder, builds, types };
  const suites = await runSuites({ script, ours, theirs, node: tools.node });
  return { folder, builds, types, suites };
}
