import { CONFIGURATIONS } from "./build-inputs.ts";

/** What the commands for a Pack depend on, for build systems that cache by declared inputs. Patterns have `/`. */
export interface DeclaredInputs {
  /** Files at the root of a workspace: what the bundler and the type check read above the folder of a Pack. */
  root: string[];
  /** Files in the folder of a Pack that neither a build nor a check reads. Everything else there counts, and so do the workspaces that it depends on. */
  ignored: string[];
  /** What a build writes. */
  outputs: string[];
  /** Environment variables: none changes a bundle. */
  environment: string[];
}

/** The inputs of a build, as build systems declare them. Packages count by the lock file, which build systems read on their own. */
export function declaredInputs(): DeclaredInputs {
  return {
    // A configuration may extend another one next to it.
    root: [...CONFIGURATIONS, "tsconfig.*.json"],
    ignored: ["**/*.md", "**/*.test.ts", "cassettes/**"],
    outputs: ["build/**"],
    environment: [],
  };
}

/** The settings of Turborepo for a workspace of Packs with the scripts `build`, `validate` and `test`. */
export function turboSettings(): object {
  const { root, ignored, outputs, environment } = declaredInputs();
  // In a folder that is not in a git repository, Turborepo also counts what builds, its own logs and vitest's cache left there.
  const left = [...outputs, ".turbo/**", "node_modules/**"];
  const inputs = ["$TURBO_DEFAULT$", ...[...ignored, ...left].map((pattern) => `!${pattern}`)];
  return {
    $schema: "https://turborepo.com/schema.json",
    globalDependencies: root,
    tasks: {
      build: { dependsOn: ["^build"], inputs, outputs, env: environment },
      validate: { dependsOn: ["^validate"], inputs, outputs: [], env: environment },
      test: { dependsOn: ["^test"], outputs: [] },
    },
  };
}
