export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

/** What runs a program of a package that the project has. */
const RUNNERS: Readonly<Record<PackageManager, string>> = {
  npm: "npx",
  pnpm: "pnpm exec",
  yarn: "yarn",
  bun: "bunx",
};

/** Installs exactly what the lock file says, or fails. */
const FROZEN_INSTALLS: Readonly<Record<PackageManager, string>> = {
  npm: "npm ci",
  pnpm: "pnpm install --frozen-lockfile",
  yarn: "yarn install --immutable",
  bun: "bun install --frozen-lockfile",
};

/**
 * The steps of a workflow that get the package manager. GitHub's machines have npm. Corepack knows
 * the version that package.json may name.
 */
const SETUP_STEPS: Readonly<Record<PackageManager, string>> = {
  npm: "",
  pnpm: "      - run: corepack enable\n",
  yarn: "      - run: corepack enable\n",
  bun: "      - uses: oven-sh/setup-bun@v2\n",
};

/**
 * pnpm ends with an error until a project says which install scripts may run. esbuild works without
 * its own.
 */
const PNPM_WORKSPACE = "allowBuilds:\n  esbuild: false\n";

/** The package manager that started this process, as it says in the environment. @default "npm" */
export function findPackageManager(
  env: Readonly<Record<string, string | undefined>>,
): PackageManager {
  const [name = ""] = (env["npm_config_user_agent"] ?? "").split("/");
  return Object.hasOwn(RUNNERS, name) ? (name as PackageManager) : "npm";
}

/** The files that only this package manager needs. */
export function managerFiles(manager: PackageManager): ReadonlyMap<string, string> {
  return new Map(manager === "pnpm" ? [["pnpm-workspace.yaml", PNPM_WORKSPACE]] : []);
}

/** A command for npm, as this package manager spells it. */
export function commandFor(manager: PackageManager, command: string): string {
  return manager === "npm" ? command : textFor(manager, command);
}

/**
 * The files of a project, with the commands of this package manager in its pages and its workflow.
 */
export function filesFor(
  manager: PackageManager,
  files: ReadonlyMap<string, string>,
): Map<string, string> {
  if (manager === "npm") return new Map(files);
  return new Map(
    [...files].map(([path, text]) => {
      if (path.endsWith(".yml")) return [path, workflowFor(manager, text)];
      return [path, path.endsWith(".md") ? textFor(manager, text) : text];
    }),
  );
}

/** Only npm needs `--` before the options of a script. */
function textFor(manager: PackageManager, text: string): string {
  return text
    .replace(/\bnpx (?=packsmith\b)/g, `${RUNNERS[manager]} `)
    .replace(/\bnpm run ([\w:-]+)( --(?= ))?/g, `${manager} run $1`)
    .replace(/\bnpm test\b/g, `${manager} run test`)
    .replace(/\bnpm ci\b/g, FROZEN_INSTALLS[manager])
    .replace(/\bnpm install\b/g, `${manager} install`);
}

function workflowFor(manager: PackageManager, text: string): string {
  // actions/setup-node has no cache for Bun.
  const cache = manager === "bun" ? "" : `          cache: ${manager}\n`;
  const step = "      - uses: actions/setup-node@";
  return textFor(manager, text)
    .replace(/^ +cache: npm\n/m, cache)
    .replace(step, `${SETUP_STEPS[manager]}${step}`);
}
