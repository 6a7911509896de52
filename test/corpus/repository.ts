import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { publishedModules } from "../oracle/published-package.ts";

const run = promisify(execFile);

/** A checked-out repository: where it was found, and its two copies with packages. */
export interface Repository {
  name: string;
  source: string;
  /** With packsmith in place of `@codahq/packs-sdk`. */
  ours: string;
  /** With `@codahq/packs-sdk` itself. */
  theirs: string;
}

export interface Project {
  /** Its folder, relative to the repository. */
  folder: string;
  /** Its files that define a Pack, relative to the repository. */
  entries: string[];
}

/** What both copies of all repositories get. */
export interface Tools {
  /** Where packsmith is installed from its package file. */
  packsmith: string;
  /** Node of the published package. */
  node: string;
}

export function listRepositories(corpus: string, work: string): Repository[] {
  return readdirSync(corpus, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => ({
      name,
      source: join(corpus, name),
      ours: join(work, "ours", name),
      theirs: join(work, "theirs", name),
    }));
}

/** The folders with a package.json that has Packs; each Pack belongs to the nearest one. */
export function listProjects(source: string): Project[] {
  const files = listFiles(source);
  const folders = files
    .filter((file) => /(?:^|\/)package\.json$/.test(file))
    .map((file) => dirname(file))
    .sort((first, second) => second.length - first.length);
  if (!folders.includes(".")) folders.push(".");
  const projects = new Map<string, Project>();
  for (const file of files.filter((path) => /(?<!\.d)\.[cm]?tsx?$/.test(path))) {
    const text = readFileSync(join(source, file), "utf8");
    if (!/^export (?:const|let|var) (?:pack|manifest)\b/m.test(text)) continue;
    if (!/packs-sdk/.test(text)) continue;
    const folder = folders.find((path) => path === "." || file.startsWith(`${path}/`)) ?? ".";
    const project = projects.get(folder) ?? { folder, entries: [] };
    project.entries.push(file);
    projects.set(folder, project);
  }
  return [...projects.values()];
}

/**
 * Builds packsmith's package file and installs it, with the test runner that its preset is for.
 * Done once; delete the folder for a newer packsmith.
 */
export async function installTools(root: string, work: string): Promise<Tools> {
  const folder = join(work, "packsmith");
  if (!existsSync(join(folder, "node_modules/packsmith"))) {
    await mkdir(folder, { recursive: true });
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
    const file = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
    await writeFile(join(folder, "package.json"), "{}\n");
    const { devDependencies } = readManifest(root);
    await install(folder, [`./${file}`, `vitest@${devDependencies?.["vitest"]}`]);
  }
  return { packsmith: folder, node: join(publishedModules, ".bin/node") };
}

/**
 * Makes the two copies of a repository. Packages of a project are installed once for both; a newer
 * packsmith replaces the one of an earlier run.
 */
export async function prepareRepository(
  repository: Repository,
  projects: readonly Project[],
  tools: Tools,
): Promise<void> {
  const { ours, theirs } = repository;
  if (!existsSync(theirs)) await copyRepository(repository, projects);
  for (const { folder } of projects) await addPacksmith(join(ours, folder, "node_modules"), tools);
}

async function copyRepository(
  { source, ours, theirs }: Repository,
  projects: readonly Project[],
): Promise<void> {
  await rm(ours, { recursive: true, force: true });
  await copy(source, ours);
  for (const { folder } of projects) await installProject(join(ours, folder));
  const unfinished = `${theirs}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await copy(ours, unfinished);
  for (const { folder } of projects) await addPublished(join(unfinished, folder, "node_modules"));
  await rename(unfinished, theirs);
}

async function installProject(folder: string): Promise<void> {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return;
  const text = readFileSync(file, "utf8");
  const manifest = JSON.parse(text) as Manifest;
  for (const dependencies of [manifest.dependencies, manifest.devDependencies])
    delete dependencies?.["@codahq/packs-sdk"];
  await writeFile(file, JSON.stringify(manifest));
  try {
    await install(folder, []);
  } finally {
    await writeFile(file, text);
  }
}

async function install(folder: string, packages: readonly string[]): Promise<void> {
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const words = ["install", ...quiet, "--legacy-peer-deps", "--prefer-offline", ...packages];
  await run("npm", words, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
}

/** As npm nests it: its own packages are below it, so the project keeps its versions. */
async function addPacksmith(modules: string, tools: Tools): Promise<void> {
  const installed = join(tools.packsmith, "node_modules");
  await mkdir(modules, { recursive: true });
  const own = join(modules, "packsmith");
  await rm(own, { recursive: true, force: true });
  await copy(join(installed, "packsmith"), own);
  await mkdir(join(own, "node_modules"), { recursive: true });
  for (const name of readdirSync(installed).filter((entry) => entry !== "packsmith"))
    await copy(join(installed, name), join(own, "node_modules", name));
  if (!existsSync(join(modules, "vitest")))
    await symlink(join(installed, "vitest"), join(modules, "vitest"));
}

async function addPublished(modules: string): Promise<void> {
  await mkdir(join(modules, "@codahq"), { recursive: true });
  const link = join(modules, "@codahq/packs-sdk");
  await rm(link, { recursive: true, force: true });
  await symlink(join(publishedModules, "@codahq/packs-sdk"), link);
}

/** With hard links where the system has them: a copy of all packages would fill the disk. */
async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  if (!to.includes("node_modules")) return await copyProject(from, to);
  await run("cp", ["-al", from, to]).catch(() => cp(from, to, { recursive: true }));
}

async function copyProject(from: string, to: string): Promise<void> {
  const modules: string[] = [];
  await cp(from, to, {
    recursive: true,
    filter: (path) => {
      const inside = relative(from, path);
      if (inside === ".git") return false;
      if (!/(?:^|\/)node_modules$/.test(inside)) return true;
      modules.push(inside);
      return false;
    },
  });
  for (const folder of modules) await copy(join(from, folder), join(to, folder));
}

export interface Manifest {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

export function readManifest(folder: string): Manifest {
  const file = join(folder, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Manifest) : {};
}

/** All files outside of packages, relative to a folder. */
function listFiles(folder: string, under = ""): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under === "" ? entry.name : `${under}/${entry.name}`;
    if (/^(?:node_modules|\.git|dist|build|_upload_build)$/.test(entry.name)) return [];
    if (entry.isDirectory()) return listFiles(folder, path);
    return entry.isFile() ? [path] : [];
  });
}
