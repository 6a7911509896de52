import { CONFIGURATIONS } from "../shared/typescript.ts";

/**
 * What the commands for a Pack depend on, for build systems that cache by declared inputs. Patterns
 * have `/`.
 */
export interface DeclaredInputs {
  /**
   * Files at the root of a workspace: what the bundler and the type check read above the folder of
   * a Pack.
   */
  root: string[];
  /**
   * Files in the folder of a Pack that neither a build nor a check reads. Everything else there
   * counts, and so do the workspaces that it depends on.
   */
  ignored: string[];
  /**
   * The files that a build writes, by their names: a folder called `build` may have sources, too.
   */
  outputs: string[];
  /** Environment variables: none changes a bundle. */
  environment: string[];
  /** Environment variables that packsmith reads, although none changes a bundle. */
  passThroughEnvironment: string[];
}

/**
 * The inputs of a build, as build systems declare them. Packages count by the lock file, which
 * build systems read on their own.
 */
export function declaredInputs(): DeclaredInputs {
  return {
    // A configuration may extend another one next to it or in the folder `config`.
    root: [...CONFIGURATIONS, "tsconfig.*.json", "config/**/*.json"],
    ignored: ["**/*.md", "**/*.test.ts", "cassettes/**"],
    outputs: ["build/*/{bundle.js,bundle.js.map,manifest.json,build.json,metafile.json}"],
    environment: [],
    passThroughEnvironment: ["PACKSMITH_CACHE", "PACKSMITH_HOME", "PACKSMITH_TRUST", "GOGC"],
  };
}

/**
 * What builds, Turborepo's logs and vitest's cache leave in the folder of a Pack. Outside of a git
 * repository it would count as an input.
 */
const LEFT_BEHIND = [".turbo/**", "node_modules/**"];

/** What the type check of a complete workspace reads, except installed packages. */
const TYPED = ["**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,json}"];

/**
 * The settings of Turborepo for a workspace of Packs with the scripts `build`, `validate` and
 * `test`. The root has the script `types`: one compiler checks all Packs.
 */
export function turboSettings(): object {
  const { root, ignored, outputs, environment, passThroughEnvironment } = declaredInputs();
  const inputs = [
    "$TURBO_DEFAULT$",
    ...[...ignored, ...outputs, ...LEFT_BEHIND].map((pattern) => `!${pattern}`),
  ];
  return {
    $schema: "https://turborepo.com/schema.json",
    globalDependencies: root,
    globalPassThroughEnv: passThroughEnvironment,
    tasks: {
      "//#types": {
        inputs: [...TYPED, ...[...outputs, ...LEFT_BEHIND].map((pattern) => `!**/${pattern}`)],
        outputs: [],
        env: environment,
      },
      build: { dependsOn: ["^build"], inputs, outputs, env: environment },
      validate: { dependsOn: ["^validate"], inputs, outputs: [], env: environment },
      test: { dependsOn: ["^test"], outputs: [] },
    },
  };
}

/**
 * The settings of Nx for the same workspace. Nx adds the installed packages to the inputs, from the
 * lock file.
 */
export function nxSettings(): object {
  const { root, ignored, outputs, environment } = declaredInputs();
  const inProject = (patterns: readonly string[]) =>
    patterns.map((pattern) => `!{projectRoot}/${pattern}`);
  const everything = ["{projectRoot}/**/*", ...inProject([...outputs, ...LEFT_BEHIND]), "shared"];
  return {
    $schema: "./node_modules/nx/schemas/nx-schema.json",
    namedInputs: {
      shared: [
        ...root.map((pattern) => `{workspaceRoot}/${pattern}`),
        ...environment.map((env) => ({ env })),
      ],
      default: everything,
      pack: ["default", ...inProject(ignored)],
    },
    targetDefaults: {
      build: {
        dependsOn: ["^build"],
        inputs: ["pack", "^pack"],
        outputs: outputs.map((pattern) => `{projectRoot}/${pattern}`),
        cache: true,
      },
      validate: { dependsOn: ["^validate"], inputs: ["pack", "^pack"], cache: true },
      test: { dependsOn: ["^test"], cache: true },
    },
  };
}
