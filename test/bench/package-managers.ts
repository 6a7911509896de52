import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchContext, Measurement } from "./section.ts";

interface Manager {
  name: string;
  /** @default the newest */
  typescript?: string;
  files?: Readonly<Record<string, string>>;
  install: readonly string[];
  /** What comes before the arguments of packsmith. */
  run: readonly string[];
}

const fromRegistry = (name: string, spec: string, run: string[], more: Partial<Manager> = {}) => ({
  name,
  install: ["npx", "--yes", spec, "install"],
  run: ["npx", "--yes", spec, ...run],
  ...more,
});

const MANAGERS: readonly Manager[] = [
  {
    name: "npm",
    install: ["npm", "install", "--no-audit", "--no-fund"],
    run: ["npx", "packsmith"],
  },
  fromRegistry("pnpm", "pnpm@10", ["exec", "packsmith"], {
    files: { "pnpm-workspace.yaml": "ignoredBuiltDependencies:\n  - esbuild\n" },
  }),
  fromRegistry("Yarn 1", "yarn@1.22.22", ["--silent", "packsmith"]),
  fromRegistry("Yarn 4", "@yarnpkg/cli-dist@4", ["packsmith"], {
    files: { ".yarnrc.yml": "nodeLinker: node-modules\n", "yarn.lock": "" },
  }),
  fromRegistry("Yarn 4 with Plug'n'Play", "@yarnpkg/cli-dist@4", ["packsmith"], {
    files: { ".yarnrc.yml": "nodeLinker: pnp\n", "yarn.lock": "" },
    // A later one does not find packages in archives.
    typescript: "5.9.3",
  }),
  { name: "Bun", install: ["npx", "--yes", "bun@1", "install"], run: ["npx", "packsmith"] },
];

/** It has a type error where the types of the package are not found. */
const PACK = `import { newPack, ValueType } from "packsmith";
import { z } from "zod";

const name = z.string();
type Name = z.infer<typeof name>;
const isUnknown: 0 extends 1 & Name ? true : false = false;

export const pack = newPack();
pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [],
  resultType: ValueType.String,
  execute: async () => name.parse("world") + String(isUnknown),
});
`;

/**
 * Installs packsmith and TypeScript with each package manager, builds a Pack twice, and counts what
 * the second build takes from the cache.
 */
export async function measurePackageManagers({ work, skip }: BenchContext): Promise<Measurement[]> {
  const tarball = packTarball(work);
  return MANAGERS.flatMap((manager, index) => {
    const folder = join(work, `manager-${index}`);
    makeProject(folder, tarball, manager);
    const installed = runIn(folder, manager.install);
    if (installed.status !== 0) {
      skip(`${manager.name}; it could not install: ${installed.stderr.trim().slice(-200)}`);
      return [];
    }
    return measureBuilds(folder, manager);
  });
}

/** Packs packsmith into a file in a folder. @returns its path */
export function packTarball(folder: string): string {
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], {
    stdio: "ignore",
  });
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
}

function makeProject(
  folder: string,
  tarball: string,
  { files = {}, typescript = "7.0.2" }: Manager,
): void {
  mkdirSync(folder, { recursive: true });
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  put(
    "package.json",
    JSON.stringify({
      name: "managed",
      version: "1.0.0",
      private: true,
      type: "module",
      dependencies: { packsmith: `file:${tarball}`, zod: "4.6.7" },
      devDependencies: { typescript },
    }),
  );
  put("pack.ts", PACK);
  put(
    "tsconfig.json",
    '{ "compilerOptions": { "module": "NodeNext", "strict": true, "noEmit": true, "types": [] } }',
  );
  for (const [name, text] of Object.entries(files)) put(name, text);
}

function measureBuilds(folder: string, { name, run }: Manager): Measurement[] {
  const build = () => {
    const started = performance.now();
    const built = runIn(folder, [
      ...run,
      "build",
      "pack.ts",
      "--json",
      "--cache-dir",
      `${folder}-cache`,
    ]);
    if (built.status !== 0) throw new Error(`${name}: ${built.stdout} ${built.stderr}`);
    return { ...built, ms: performance.now() - started };
  };
  const first = build();
  const second = build();
  const isHit = /"cache":\s*"hit"/.test(second.stdout);
  const isChecked = first.stderr.includes("type check:");
  const areTypesHit = second.stderr.includes("types: hit");
  return [
    {
      name: `${name}: from the cache in a second build${isChecked ? ", types included" : ", types not checked"}`,
      value: isHit && (areTypesHit || !isChecked) ? 100 : 0,
      unit: "%",
      target: { of: "value", atLeast: 100 },
    },
    {
      name: `${name}: second build`,
      value: second.ms,
      unit: "ms",
      peer: { name: "the first", value: first.ms },
    },
  ];
}

function runIn(cwd: string, [program = "", ...args]: readonly string[]) {
  return spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: {
      ...process.env,
      NODE_DEBUG: "packsmith:build",
      // In CI, Yarn would refuse to write the first lock file.
      YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    },
    maxBuffer: 1e8,
    timeout: 300_000,
  });
}
