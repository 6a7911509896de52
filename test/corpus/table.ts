import type { Comparison } from "./compare-builds.ts";
import type { SuiteResult } from "./run-suite.ts";

export interface ProjectResult {
  folder: string;
  builds: Comparison[];
  types: { before: number; added: string[] };
  /** Of the published package, of packsmith's hooks, and of its preset for vitest. */
  suites?: Record<string, SuiteResult>;
}

export interface RepositoryResult {
  name: string;
  projects: ProjectResult[];
  /** Why it could not be examined. */
  problem?: string;
}

const TITLES = [
  "Repository",
  "Entries",
  "Stricter",
  "Looser",
  "Equal",
  "New type errors",
  "Suite before",
  "Suite",
  "Preset",
];

/** One row for each repository and one for all, as a Markdown table. */
export function printTable(results: readonly RepositoryResult[]): string {
  const rows = results.map((result) => [result.name, ...describeProjects(result.projects)]);
  for (const [index, { problem }] of results.entries())
    if (problem !== undefined) rows[index] = [results[index]?.name ?? "", "not examined"];
  rows.push(["All", ...describeProjects(results.flatMap(({ projects }) => projects))]);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(TITLES), line(TITLES.map(() => "---")), ...rows.map(line)].join("\n");
}

function describeProjects(projects: readonly ProjectResult[]): string[] {
  const builds = projects.flatMap((project) => project.builds);
  const judged = (ours: Comparison["ours"], theirs: Comparison["theirs"]) =>
    builds.filter((build) => build.ours === ours && build.theirs === theirs).length;
  const compared = builds.filter(({ equal }) => equal !== undefined);
  const suites = (name: string) =>
    describeSuites(projects.flatMap((project) => project.suites?.[name] ?? []));
  return [
    String(builds.length),
    String(judged("refused", "accepted")),
    String(judged("accepted", "refused")),
    `${compared.filter(({ equal }) => equal).length} of ${compared.length}`,
    String(projects.flatMap(({ types }) => types.added).length),
    suites("theirs"),
    suites("ours"),
    suites("preset"),
  ];
}

function describeSuites(suites: readonly SuiteResult[]): string {
  if (suites.length === 0) return "–";
  const sum = (key: "passed" | "failed") => suites.reduce((total, suite) => total + suite[key], 0);
  const stopped = suites.filter(({ started }) => !started).length;
  const counts = `${sum("passed")} passed, ${sum("failed")} failed`;
  return stopped === 0 ? counts : `${counts}, ${stopped} not started`;
}
