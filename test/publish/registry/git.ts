import { execFileSync } from "node:child_process";

/** Git as an author has it, without the settings of this machine and without maintenance. */
const SETTINGS = [
  "user.name=Ada",
  "user.email=ada@tasks.example",
  "maintenance.auto=false",
  "gc.auto=0",
].flatMap((setting) => ["-c", setting]);

// A new process for each command of git is slow where the process of the tests is large.
const START = `
git init --quiet --initial-branch main
git config user.name Ada
git config user.email ada@tasks.example
git add --all
git "$@" commit --quiet -m First
`;
const COMMIT = `
git add --all
git "$@" commit --quiet --allow-empty -m "A change"
git rev-parse HEAD
`;

/** Runs git as an author. */
export function git(cwd: string, ...args: string[]): string {
  return run(cwd, "git", ...SETTINGS, ...args);
}

/** Makes the folder a repository in which everything is committed. */
export function startGit({ cwd }: { cwd: string }): void {
  run(cwd, "sh", "-e", "-c", START, "sh", ...SETTINGS);
}

/** Commits everything in a repository. @returns the commit */
export function commitAll({ cwd }: { cwd: string }): string {
  return run(cwd, "sh", "-e", "-c", COMMIT, "sh", ...SETTINGS);
}

function run(cwd: string, program: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: "pipe" }).trim();
}
