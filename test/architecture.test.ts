import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";

const source = new URL("../src/", import.meta.url).pathname;

/**
 * What each folder may import: of ours, and of packages. A folder without a row here belongs to the
 * folder above it.
 */
const folders: Record<string, { own: readonly string[]; packages: readonly string[] }> = {
  "errors.ts": { own: [], packages: [] },
  shared: { own: ["errors.ts"], packages: ["is-inside-container", "yaml", "zod"] },
  "shared/markdown": { own: [], packages: ["marked"] },
  define: { own: ["errors.ts"], packages: [] },
  compare: { own: ["shared"], packages: ["zod"] },
  validate: {
    own: ["define", "compare", "shared", "errors.ts"],
    packages: ["zod", "tldts", "oxc-parser"],
  },
  bundle: { own: ["validate", "shared", "errors.ts"], packages: ["esbuild", "zod"] },
  storage: { own: ["shared", "errors.ts"], packages: ["kysely", "libsql", "pg"] },
  "oauth/connect": { own: ["oauth", "define", "shared", "errors.ts"], packages: ["openid-client"] },
  "oauth/run": { own: ["oauth", "define", "errors.ts"], packages: ["@badgateway/oauth2-client"] },
  oauth: { own: ["define", "shared", "errors.ts"], packages: ["jose"] },
  accounts: {
    own: ["define", "storage", "oauth", "oauth/connect", "oauth/run", "shared", "errors.ts"],
    packages: ["kysely", "zod"],
  },
  sandbox: {
    own: ["define", "shared", "errors.ts"],
    packages: ["@noble/ciphers", "buffer", "zod"],
  },
  execute: {
    own: ["define", "validate", "bundle", "oauth", "accounts", "sandbox", "shared", "errors.ts"],
    packages: ["@modelcontextprotocol/client", "aws4fetch", "zod"],
  },
  provider: { own: ["shared", "errors.ts"], packages: ["express", "zod"] },
  "service/contract": { own: [], packages: ["zod"] },
  "service/client": { own: ["service/contract"], packages: ["fflate"] },
  "service/local": {
    // It asks an authorization server about tokens, with the transport for such servers.
    own: ["service/contract", "storage", "oauth", "shared", "shared/markdown", "errors.ts"],
    packages: ["express", "kysely", "zod"],
  },
  "service/import": {
    own: ["service/contract", "service/client", "service/local", "errors.ts"],
    packages: [],
  },
  "service/packs": {
    own: [
      ...[
        "define",
        "validate",
        "compare",
        "bundle",
        "sandbox",
        "oauth",
        "execute",
        "service/contract",
        "service/local",
      ],
      "shared",
      "errors.ts",
    ],
    packages: [],
  },
  connect: {
    own: [
      ...[
        "define",
        "validate",
        "oauth",
        "oauth/connect",
        "oauth/run",
        "accounts",
        "execute",
        "provider",
      ],
      "shared",
      "errors.ts",
    ],
    packages: ["express", "open", "zod"],
  },
  build: {
    own: ["define", "validate", "bundle", "compare", "sandbox", "execute", "shared", "errors.ts"],
    packages: ["picomatch", "zod"],
  },
  publish: {
    own: [
      ...[
        "define",
        "validate",
        "bundle",
        "compare",
        "accounts",
        "sandbox",
        "execute",
        "build",
        "service/contract",
        "service/client",
      ],
      "shared",
      "errors.ts",
    ],
    packages: ["zod"],
  },
  init: {
    own: ["define", "validate", "bundle", "execute", "shared", "errors.ts"],
    packages: ["zod"],
  },
  doctor: {
    own: ["validate", "bundle", "storage", "oauth", "accounts", "sandbox", "shared", "errors.ts"],
    packages: ["zod"],
  },
  testing: {
    own: ["execute", "connect", "service/client", "define", "shared", "errors.ts"],
    packages: [],
  },
  "testing/legacy": {
    own: ["define", "accounts", "sandbox", "execute", "shared"],
    packages: ["sinon"],
  },
  "testing/jest": {
    own: ["bundle", "testing/legacy", "shared", "index.ts", "legacy.ts", "legacy-testing.ts"],
    packages: [],
  },
  "dev/wire": {
    own: [
      "validate",
      "bundle",
      "accounts",
      "execute",
      "build",
      "define",
      "service/contract",
      "service/local",
      "shared",
    ],
    packages: ["zod"],
  },
  "dev/web": {
    own: ["dev/wire", "publish", "service/contract", "shared", "shared/markdown"],
    packages: ["lucide", "preact"],
  },
  dev: {
    own: [
      ...[
        "define",
        "validate",
        "bundle",
        "sandbox",
        "execute",
        "oauth",
        "accounts",
        "connect",
        "build",
      ],
      ...[
        "publish",
        "provider",
        "service/contract",
        "service/client",
        "service/local",
        "service/packs",
        "testing",
        "dev/wire",
      ],
      "shared",
      "errors.ts",
    ],
    packages: ["express", "open", "zod"],
  },
  cli: {
    own: [
      ...[
        "define",
        "validate",
        "compare",
        "bundle",
        "execute",
        "oauth",
        "oauth/connect",
        "accounts",
        "connect",
        "build",
      ],
      ...[
        "publish",
        "init",
        "doctor",
        "sandbox",
        "provider",
        "service/contract",
        "service/client",
        "service/local",
        "service/packs",
        "service/import",
        "testing",
        "dev",
      ],
      "dev/wire",
      "shared",
      "errors.ts",
    ],
    packages: ["commander", "@clack/prompts", "@modelcontextprotocol/server", "zod"],
  },
  "index.ts": { own: ["define"], packages: [] },
  "legacy.ts": { own: ["define", "index.ts"], packages: [] },
  "service.ts": { own: ["service/client", "service/contract"], packages: [] },
  "register.ts": {
    own: ["bundle", "testing/jest"],
    packages: [],
  },
  "vitest.ts": { own: ["bundle", "testing", "shared"], packages: [] },
  "testing.ts": {
    own: ["testing", "execute", "provider", "service/local", "service/packs"],
    packages: [],
  },
  "legacy-testing.ts": { own: ["testing/legacy"], packages: [] },
  "legacy-types": { own: [], packages: ["sinon"] },
  "pack-globals.d.ts": { own: [], packages: [] },
  "legacy-types.ts": { own: ["legacy-types"], packages: [] },
  "node.ts": {
    own: [
      ...[
        "validate",
        "execute",
        "accounts",
        "connect",
        "build",
        "publish",
        "init",
        "doctor",
        "shared",
        "errors.ts",
      ],
    ],
    packages: [],
  },
};

describe("architecture", () => {
  const imports = sourceFiles(source).flatMap((file) => listImports(file));

  it("every source file is in a folder of the table", () => {
    expect(sourceFiles(source).filter((file) => findFolder(file) === undefined)).toEqual([]);
  });

  it("a folder imports only the folders that its row names", () => {
    const wrong = imports.filter(
      ({ from, to }) => to !== undefined && from !== to && !folders[from]?.own.includes(to),
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it("a folder imports only the packages that its row names", () => {
    const wrong = imports.filter(
      ({ from, pack }) => pack !== undefined && !folders[from]?.packages.includes(pack),
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it("no row names a folder or a package that nothing imports", () => {
    const unused = Object.entries(folders).flatMap(([folder, { own, packages }]) => {
      const used = new Set(
        imports.filter(({ from }) => from === folder).flatMap(({ to, pack }) => [to, pack]),
      );
      return [...own, ...packages]
        .filter((name) => !used.has(name))
        .map((name) => `${folder}: ${name}`);
    });
    expect(unused).toEqual([]);
  });

  it("neither folders nor files import each other in a circle, types included", () => {
    const own = imports.filter(({ to }) => to !== undefined);
    expect(
      findCycles(
        own.map(({ from, to = "" }) => [from, to] as const).filter(([from, to]) => from !== to),
      ),
    ).toEqual([]);
    expect(findCycles(own.map(({ file, target = "" }) => [file, target] as const))).toEqual([]);
  });

  it("the page takes nothing but types of what it exchanges with its server", () => {
    const wrong = imports.filter(
      ({ from, to, target, isType }) =>
        !isType &&
        to !== undefined &&
        // Both sides hide the same arguments.
        target?.endsWith("secret-parameter.ts") !== true &&
        (from === "dev/wire" || (from === "dev/web" && to !== from && to !== "shared/markdown")),
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it("what publishes takes from the registry's description only types and the addresses of operations", () => {
    // A rule that both sides read from one text is wrong on both sides together.
    const wrong = imports.filter(
      ({ from, target, isType }) =>
        from === "publish" &&
        !isType &&
        target?.startsWith(join("service", "contract", "registry")) === true &&
        !target.endsWith("registry-operations.ts"),
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it("no object literal is spread into another one to save lines", () => {
    const spreading = sourceFiles(source).filter((file) =>
      readFileSync(join(source, file), "utf8").includes("...{"),
    );
    expect(spreading).toEqual([]);
  });

  it("only a few files start programs, and only one starts git", () => {
    const starting = new Set(
      imports
        .filter(({ specifier, isType }) => specifier === "node:child_process" && !isType)
        .map(({ file }) => file),
    );
    expect([...starting].sort()).toEqual([
      "bundle/esbuild.ts",
      "cli/edit-text.ts",
      "cli/mcp/run-tests.ts",
      "sandbox/host/confinement.ts",
      "sandbox/host/root-entries.ts",
      "shared/git.ts",
      "shared/guarded-process.ts",
      "shared/process-tree.ts",
      "shared/run-tool.ts",
    ]);
    const naming = sourceFiles(source).filter((file) =>
      /(?:spawn|exec|run|runTool|findProgram|execFile)\w*\(\s*["'`]git["'` ]/.test(
        readFileSync(join(source, file), "utf8"),
      ),
    );
    expect(naming).toEqual(["shared/git.ts"]);
  });

  it("what a Pack's bundle can contain imports no Node module", () => {
    const carried = new Set([
      "errors.ts",
      "define",
      "service/client",
      "service/contract",
      "index.ts",
      "legacy.ts",
      "service.ts",
    ]);
    const wrong = imports.filter(
      ({ from, specifier }) =>
        carried.has(from) && (specifier.startsWith("node:") || builtinModules.includes(specifier)),
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it("nothing that runs on Node calls URL.canParse, which reads Latin-1 text wrongly there", () => {
    const callers = sourceFiles(source).filter(
      (file) =>
        !file.startsWith(join("dev", "web")) &&
        !file.startsWith(join("sandbox", "inside")) &&
        readFileSync(join(source, file), "utf8").includes("URL.canParse("),
    );
    expect(callers).toEqual([]);
  });
});

function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)));
}

function findFolder(file: string): string | undefined {
  const parts = file.split(sep);
  return [parts.slice(0, 2).join("/"), parts[0] ?? ""].find((name) => name in folders);
}

function listImports(file: string) {
  const text = readFileSync(join(source, file), "utf8");
  const from = findFolder(file) ?? "";
  const specifiers = [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^"'`;]*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g,
    ),
  ];
  return specifiers.map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? "";
    const own = specifier.startsWith(".");
    const builtin = specifier.startsWith("node:");
    return {
      file,
      from,
      specifier,
      isType: /^\s*(?:import|export)\s+type\s/.test(match[0]),
      target: own ? relative(source, join(source, dirname(file), specifier)) : undefined,
      to: own ? findFolder(relative(source, join(source, dirname(file), specifier))) : undefined,
      pack:
        own || builtin
          ? undefined
          : specifier
              .split("/")
              .slice(0, specifier.startsWith("@") ? 2 : 1)
              .join("/"),
    };
  });
}

/** The groups of names that reach each other, each group in order. */
function findCycles(edges: readonly (readonly [from: string, to: string])[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const reachable = new Map(
    [...targets.keys()].map((start) => {
      const found = new Set(targets.get(start));
      for (const name of found) for (const next of targets.get(name) ?? []) found.add(next);
      return [start, found];
    }),
  );
  const inCycle = [...targets.keys()].filter((name) => reachable.get(name)?.has(name));
  const groups = inCycle.map((name) =>
    inCycle
      .filter((other) => reachable.get(name)?.has(other) && reachable.get(other)?.has(name))
      .sort(),
  );
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}
