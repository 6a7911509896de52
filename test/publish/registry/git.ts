import { execFileSync } from "node:child_process";

/** Runs git as an author, without the settings of this machine. */
export function git(cwd: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@tasks.example"];
  return execFileSync("git", [...identity, ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
}

/** Makes the folder a repository in which everything is committed. */
export function startGit({ cwd }: { cwd: string }): void {
  git(cwd, "init", "--quiet", "--initial-branch", "main");
  git(cwd, "config", "user.name", "Ada");
  git(cwd, "config", "user.email", "ada@tasks.example");
  git(cwd, "add", ".");
  git(cwd, "commit", "--quiet", "-m", "First");
}
