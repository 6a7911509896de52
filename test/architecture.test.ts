import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";

const source = new URL("../src/", import.meta.url).pathname;

/** What each room may import: of ours, and of packages. `*` stands for every room above it in this table. */
const rooms: Record<string, { rooms: readonly string[] | "*"; packages: readonly string[] | "*" }> = {
  "errors.ts": { rooms: [], packages: [] },
  "redact.ts": { rooms: [], packages: [] },
  "find-up.ts": { rooms: [], packages: [] },
  "uptime.ts": { rooms: [], packages: [] },
  "own-package.ts": { rooms: ["find-up.ts"], packages: [] },
  "make-folder.ts": { rooms: [], packages: [] },
  "system-failure.ts": { rooms: [], packages: [] },
  "loopback-server.ts": { rooms: ["errors.ts"], packages: [] },
  define: { rooms: ["errors.ts"], packages: [] },
  validate: { rooms: ["define", "errors.ts", "own-package.ts"], packages: ["zod", "tldts", "oxc-parser"] },
  bundle: {
    rooms: ["define", "validate", "errors.ts", "make-folder.ts", "own-package.ts", "system-failure.ts", "uptime.ts"],
    packages: ["esbuild"],
  },
  compare: { rooms: [], packages: [] },
  storage: { rooms: ["errors.ts", "make-folder.ts"], packages: ["kysely", "libsql", "pg"] },
  "oauth/connect": { rooms: ["oauth", "define", "errors.ts", "redact.ts"], packages: ["openid-client"] },
  "oauth/run": { rooms: ["oauth", "define", "errors.ts", "redact.ts"], packages: ["@badgateway/oauth2-client"] },
  oauth: { rooms: ["define", "errors.ts", "redact.ts"], packages: ["jose"] },
  accounts: { rooms: ["define", "storage", "oauth", "oauth/run", "errors.ts", "make-folder.ts"], packages: ["kysely"] },
  execute: {
    rooms: [
      "define",
      "oauth",
      "oauth/run",
      "accounts",
      "errors.ts",
      "redact.ts",
      "loopback-server.ts",
      "make-folder.ts",
      "own-package.ts",
      "uptime.ts",
    ],
    packages: ["aws4fetch"],
  },
  provider: { rooms: ["errors.ts", "loopback-server.ts"], packages: ["express"] },
  "service/contract": { rooms: ["errors.ts"], packages: ["zod"] },
  "service/client": { rooms: ["service/contract", "errors.ts"], packages: [] },
  "service/local": {
    rooms: ["service/contract", "storage", "errors.ts", "loopback-server.ts"],
    packages: ["express", "kysely", "yaml", "zod"],
  },
  harness: { rooms: "*", packages: ["express"] },
  commands: { rooms: "*", packages: ["is-inside-container", "open"] },
  "harness/dev": { rooms: "*", packages: ["express"] },
  "harness/web": { rooms: ["harness/dev"], packages: ["preact"] },
  "older-testing": { rooms: "*", packages: [] },
  cli: { rooms: "*", packages: ["commander", "@clack/prompts"] },
  "index.ts": { rooms: ["define", "errors.ts"], packages: [] },
  "legacy.ts": { rooms: ["define", "index.ts"], packages: [] },
  "testing.ts": { rooms: "*", packages: [] },
  "legacy-testing.ts": { rooms: "*", packages: [] },
  "service.ts": { rooms: ["service/client", "service/contract", "errors.ts"], packages: [] },
  "node.ts": { rooms: "*", packages: [] },
  "vitest.ts": { rooms: ["bundle"], packages: [] },
};

const names = Object.keys(rooms);

describe("architecture", () => {
  const imports = sourceFiles(source).flatMap((file) => importsOf(file));

  it("every source file lives in a room of the table", () => {
    expect(sourceFiles(source).filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  it("a room imports only the rooms that its row names", () => {
    const wrong = imports.filter(({ from, to }) => {
      if (to === undefined || from === to) return false;
      const allowed = rooms[from]?.rooms ?? [];
      return allowed === "*" ? names.indexOf(to) > names.indexOf(from) : !allowed.includes(to);
    });
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it("a room imports only the packages that its row names", () => {
    const wrong = imports.filter(({ from, pack }) => pack !== undefined && !(rooms[from]?.packages ?? []).includes(pack));
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it("the page takes nothing but types of the server, and only of what crosses the wire", () => {
    const wrong = imports.filter(
      ({ from, to, specifier, isType }) => from === "harness/web" && to === "harness/dev" && !(isType && specifier.includes("/dev/wire/")),
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it("what a Pack's bundle can contain imports no Node module", () => {
    const carried = new Set(["errors.ts", "define", "service/client", "service/contract", "index.ts", "legacy.ts", "service.ts"]);
    const wrong = imports.filter(
      ({ from, specifier }) => carried.has(from) && (specifier.startsWith("node:") || builtinModules.includes(specifier)),
    );
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });
});

function sourceFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)));
}

function roomOf(file: string): string | undefined {
  const parts = file.split(sep);
  return [parts.slice(0, 2).join("/"), parts[0] ?? ""].find((name) => name in rooms);
}

function importsOf(file: string) {
  const text = readFileSync(join(source, file), "utf8");
  const from = roomOf(file) ?? "";
  const specifiers = [
    ...text.matchAll(/(?:^|\n)\s*(?:import|export)\s[^"'`;]*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g),
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
      to: own ? roomOf(relative(source, join(source, dirname(file), specifier))) : undefined,
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
