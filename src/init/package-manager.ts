export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

/** What runs a program of a package that the project has. */
const RUNNERS: Readonly<Record<PackageManager, string>> = { npm: "npx", pnpm: "pnpm exec", yarn: "yarn", bun: "bunx" };

/** pnpm ends with an error until a project says which install scripts may run. esbuild works without its own. */
const PNPM_WORKSPACE = "allowBuilds:\n  esbuild: false\n";

/** The package manager that started this process, as it says in the environment. @default "npm" */
export function packageManagerOf(env: Readonly<Record<string, string | undefined>>): PackageManager {
  const [name = ""] = (env["npm_config_user_agent"] ?? "").split("/");
  return Object.hasOwn(RUNNERS, name) ? (name as PackageManager) : "npm";
}

/** The files that only this package manager needs. */
export function managerFiles(manager: PackageManager): ReadonlyMap<string, string> {
  return new Map(manager === "pnpm" ? [["pnpm-workspace.yaml", PNPM_WORKSPACE]] : []);
}

/** A command for npm, as this package manager spells it. */
export function commandFor(manager: PackageManager, command: string): string {
  if (manager === "npm") return command;
  return command
    .replace(/^npx /, `${RUNNERS[manager]} `)
    .replace(/^npm test$/, `${manager} run test`)
    .replace(/^npm /, `${manager} `);
}
