import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { runEsbuild, scriptOptions } from "../bundle/run-esbuild.ts";
import { packageRoot, packageVersion } from "../shared/own-package.ts";
import { findToolManifest } from "../shared/package-map.ts";
import { findTypeScript } from "../shared/typescript.ts";
import { openDatabase } from "../storage/database.ts";
import { isProgram } from "../validate/source-module.ts";
import type { Finding } from "./examination.ts";
import type { Machine } from "./finding.ts";

/** Checks the version of Node, and the variables that affect its certificates. */
export function checkNode({ env, nodeVersion }: Machine): Finding[] {
  const { engines } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as {
    engines: { node: string };
  };
  const needed = engines.node.replace(">=", "");
  const version = `Node ${nodeVersion} on ${process.platform} ${process.arch}`;
  const first: Finding = isAtLeast(nodeVersion, needed)
    ? { check: "node", status: "fine", message: `${version}.` }
    : {
        check: "node",
        status: "problem",
        message: `${version} is too old.`,
        hint: `Install Node ${needed} or later.`,
      };
  return [first, ...certificates(env)];
}

function certificates(env: NodeJS.ProcessEnv): Finding[] {
  const findings: Finding[] = [];
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    findings.push({
      check: "node",
      status: "warning",
      message:
        "NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate checks, so others on the network can read tokens.",
      hint: "Unset the variable. If your network has its own certificate authority, set NODE_EXTRA_CA_CERTS to the path of the authority's certificate.",
    });
  }
  const extra = env["NODE_EXTRA_CA_CERTS"];
  if (extra !== undefined && extra !== "" && !existsSync(extra)) {
    findings.push({
      check: "node",
      status: "warning",
      message: "The file in NODE_EXTRA_CA_CERTS does not exist.",
      hint: "Correct the path, or unset the variable.",
    });
  }
  return findings;
}

function isAtLeast(version: string, needed: string): boolean {
  const [have, want] = [version, needed].map((text) => text.split(".").map(Number)) as [
    number[],
    number[],
  ];
  for (const [index, number] of want.entries())
    if ((have[index] ?? 0) !== number) return (have[index] ?? 0) > number;
  return true;
}

/**
 * Compares the packsmith that runs with the one that the project imports, and looks for further
 * copies.
 */
export function checkPackages({ cwd }: Machine): Finding[] {
  const running: Finding = {
    check: "packages",
    status: "fine",
    message: `packsmith ${packageVersion()} is running.`,
  };
  const copies = copiesFor(cwd);
  const [own] = copies;
  const root = realpathSync(packageRoot());
  if (own === undefined) {
    if (cwd.startsWith(root)) return [running];
    return [
      {
        ...running,
        status: "note",
        message: `packsmith ${packageVersion()} is running, but it is not installed in this project.`,
        hint: "Run npm install --save-dev packsmith. Your team then uses the same version.",
      },
    ];
  }
  const findings =
    own.path === root
      ? [
          {
            ...running,
            message: `packsmith ${own.version} is running. The project has installed this version.`,
          },
        ]
      : [otherCopy(own)];
  const others = copies.slice(1);
  if (others.length > 0) {
    const places = [own, ...others].map(({ shown, version }) => `${shown} (${version})`).join(", ");
    findings.push({
      check: "packages",
      status: "warning",
      message: `packsmith is installed ${others.length + 1} times: ${places}.`,
      hint: "Use the same version in every package.json, then run npm dedupe.",
    });
  }
  return findings;
}

function otherCopy({ version, shown }: Copy): Finding {
  const own = packageVersion();
  if (version !== own) {
    return {
      check: "packages",
      status: "warning",
      message: `packsmith ${own} is running, but the project's files import version ${version} from ${shown}.`,
      hint: "Run npx packsmith to use the version that the project has installed.",
    };
  }
  return {
    check: "packages",
    status: "note",
    message: `packsmith ${own} is running from a folder outside of the project. ${shown} has the same version.`,
  };
}

interface Copy {
  /** The real folder of the copy. */
  path: string;
  version: string;
  /** The folder relative to the project. */
  shown: string;
}

/**
 * The copy that an import in this folder finds, then copies inside other packages. Each real folder
 * is listed once.
 */
function copiesFor(cwd: string): Copy[] {
  const folders = modulesFoldersAbove(cwd);
  const manifest = findToolManifest("packsmith", cwd);
  const places = [
    ...(manifest === undefined ? [] : [dirname(manifest)]),
    ...folders.map((folder) => join(folder, "packsmith")),
    ...folders.flatMap((folder) =>
      listPackages(folder).map((name) => join(folder, name, "node_modules", "packsmith")),
    ),
  ];
  const found = new Map<string, Copy>();
  for (const place of places) {
    const copy = readCopy(place, cwd);
    if (copy !== undefined && !found.has(copy.path)) found.set(copy.path, copy);
  }
  return [...found.values()];
}

function readCopy(place: string, cwd: string): Copy | undefined {
  try {
    const { version } = JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as {
      version: unknown;
    };
    return { path: realpathSync(place), version: String(version), shown: relative(cwd, place) };
  } catch {
    return undefined;
  }
}

function modulesFoldersAbove(from: string): string[] {
  const folder = join(from, "node_modules");
  const parent = dirname(from);
  return [
    ...(existsSync(folder) ? [folder] : []),
    ...(parent === from ? [] : modulesFoldersAbove(parent)),
  ];
}

function listPackages(folder: string): string[] {
  return namesIn(folder).flatMap((name) =>
    name.startsWith("@") ? namesIn(join(folder, name)).map((inner) => join(name, inner)) : [name],
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}

/** Checks the TypeScript that `validate` and `build` use. */
export function checkTypeScript({ cwd }: Machine): Finding[] {
  const found = findTypeScript(cwd);
  const check = "typescript";
  if (found === undefined) {
    return [
      {
        check,
        status: "note",
        message:
          "TypeScript is not installed in this project, so validate and build do not check types.",
        hint: "Run npm install --save-dev typescript.",
      },
    ];
  }
  return found.refusal === undefined
    ? [{ check, status: "fine", message: `TypeScript ${found.version} checks the types.` }]
    : [{ check, status: "warning", ...found.refusal }];
}

/** Uses each part that is compiled for one system. */
export async function checkNative(): Promise<Finding[]> {
  const failed = (
    await Promise.all(
      Object.entries(PARTS).map(async ([name, use]) => ((await works(use)) ? [] : [name])),
    )
  ).flat();
  if (failed.length === 0)
    return [
      {
        check: "native",
        status: "fine",
        message: "The bundler, the parser and the database work.",
      },
    ];
  return [
    {
      check: "native",
      status: "problem",
      message: `${failed.join(" and ")} ${failed.length === 1 ? "does" : "do"} not work on this system.`,
      hint: "The installed packages are for another system. Remove node_modules, and install the packages again on this machine without --omit=optional.",
    },
  ];
}

const PARTS: Readonly<Record<string, () => unknown>> = {
  esbuild: () => {
    const { plugins: _, inject: __, ...options } = scriptOptions(PLAIN);
    return runEsbuild({
      ...options,
      outfile: "bundle.js",
      stdin: { contents: "export const pack = {};" },
    });
  },
  "oxc-parser": () => {
    if (!isProgram({ path: "pack.ts", text: "export const pack: object = {};" }))
      throw new Error("The parser did not work.");
  },
  libsql: async () => {
    await using _database = await openDatabase({ url: ":memory:", migrations: {} });
  },
};

const PLAIN = {
  minify: false,
  timerStrategy: "none",
  lenient: false,
  format: "cjs",
  parts: [],
  packageEntries: "browser",
} as const;

async function works(use: () => unknown): Promise<boolean> {
  try {
    await use();
    return true;
  } catch {
    return false;
  }
}
