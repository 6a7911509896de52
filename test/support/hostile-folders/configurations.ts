import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Construct, replace } from "./construct.ts";

const json = (name: string, path: string, value: unknown): Construct => ({
  name,
  put: (place) => place.write(path, typeof value === "string" ? value : JSON.stringify(value)),
});

const HUGE = 400_000;

/** What files of a project may say. */
export const CONFIGURATIONS: readonly Construct[] = [
  ...(
    [
      "/dev/zero",
      "/dev/stdin",
      "./tsconfig.json",
      "../../../../../../etc",
      "/proc/self/mem",
    ] as const
  ).map((path) => json(`a tsconfig that extends ${path}`, "tsconfig.json", { extends: path })),
  json("a tsconfig that extends a list with itself", "tsconfig.json", {
    extends: ["./tsconfig.json", "./other.json", "words", "words/nothing.json"],
  }),
  json("a tsconfig with paths outside", "tsconfig.json", {
    compilerOptions: {
      baseUrl: "/",
      paths: { words: ["/etc/passwd"], "*": ["/*", "/dev/*", "/proc/self/*"] },
      rootDirs: ["/", "/dev"],
      typeRoots: ["/dev", "/proc"],
      types: ["zero", "*"],
    },
  }),
  json("a tsconfig with everything that writes", "tsconfig.json", {
    compilerOptions: {
      plugins: [{ name: "words", transform: "./index.cjs" }],
      generateTrace: "../outside-trace",
      generateCpuProfile: "../outside.cpuprofile",
      tsBuildInfoFile: "../outside.tsbuildinfo",
      outDir: "../outside-out",
      outFile: "../outside-out.js",
      declarationDir: "../outside-types",
      declaration: true,
      composite: true,
      incremental: true,
      noEmit: false,
      emitDeclarationOnly: true,
      mapRoot: "../outside-maps",
      sourceMap: true,
    },
  }),
  json("a tsconfig that includes the disk", "tsconfig.json", {
    include: ["/**/*", "../../**/*", "/proc/**/*"],
    files: ["/dev/zero", "/etc/passwd"],
    references: [{ path: "." }, { path: "/" }],
  }),
  json(
    "a tsconfig of many levels",
    "tsconfig.json",
    `{ "compilerOptions": ${"[".repeat(HUGE)}${"]".repeat(HUGE)} }`,
  ),
  json("a package.json of many levels", "package.json", `${'{"a":'.repeat(150_000)}1`),
  json("a package.json that is a list", "package.json", "[]"),
  json("a package.json that is null", "package.json", "null"),
  json("a package.json with values of other types", "package.json", {
    name: { toString: 1 },
    version: [],
    type: {},
    main: 7,
    exports: [[[]]],
    imports: "x",
    dependencies: "x",
    devDependencies: [1],
    scripts: 3,
    workspaces: { packages: [{}, 1, null, "**"] },
    packageManager: {},
    sideEffects: 7,
    browser: 9,
    author: 1,
    description: {},
    license: [],
    jest: "x",
    mocha: 1,
  }),
  json("a package.json with a long name", "package.json", { name: "x".repeat(100_000) }),
  json("a package.json with a name that is a path", "package.json", {
    name: "../../../outside/written",
  }),
  json("a package.json with a name of control characters", "package.json", {
    name: "\u001b[2J\n\u0007--trust\u202e",
    description: "\u001b]0;x\u0007",
  }),
  json("workspaces of wide patterns", "package.json", {
    name: "greet",
    workspaces: [
      "**/**/**/**",
      "../**",
      "/**",
      "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
    ],
  }),
  json("a package whose main is a device", "node_modules/words/package.json", {
    name: "words",
    main: "../../../../../../../../dev/zero",
  }),
  json("a package whose exports lead out", "node_modules/words/package.json", {
    name: "words",
    exports: { ".": "./../../../../../../../../etc/passwd" },
    imports: { "#x": "/etc/passwd" },
    browser: { "./main.js": "/dev/zero" },
    module: "/dev/zero",
  }),
  {
    name: "a package whose file is a pipe",
    put: (place) =>
      replace(place, "node_modules/words/main.js", (path) => execFileSync("mkfifo", [path])),
  },
  {
    name: "a package whose file leads out through a folder",
    put: (place) => {
      replace(place, "node_modules/words/lib", (path) => symlinkSync("/etc", path));
      place.write("node_modules/words/package.json", '{ "name": "words", "main": "lib/passwd" }');
    },
  },
  json(
    "a source map that is a device",
    "node_modules/words/main.js",
    "exports.word = 'a';\n//# sourceMappingURL=/dev/zero\n",
  ),
  json(
    "an import of files outside",
    "pack.ts",
    'import a from "/etc/passwd"; import b from "/dev/zero"; import c from "/proc/self/environ"; import d from "../../../../etc/hosts";\nexport const pack = [a, b, c, d];',
  ),
  json(
    "an import of a wide pattern",
    "pack.ts",
    'const n = "x"; export const pack = [require("../../" + n), require("/" + n + "/x.js"), import("./" + n + "/**")];',
  ),
  json(
    "a reference of types to a device",
    "pack.ts",
    '/// <reference path="/dev/zero" />\n/// <reference types="/dev/zero" />\n/// <reference lib="../../../dev/zero" />\nimport { newPack } from "packsmith";\nexport const pack = newPack();',
  ),
  json(
    "a type that never ends",
    "pack.ts",
    'import { newPack } from "packsmith";\ntype A<N extends unknown[]> = N["length"] extends 999 ? N : A<[...N, 1]>; type B = A<A<[]>>; type C<T> = T extends [infer F, ...infer R] ? [...C<R>, ...C<R>, F] : [];\ntype D = C<[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24]>;\nexport const x: D = 1 as never; export const y: B = 1 as never;\nexport const pack = newPack();',
  ),
  json(
    "a type that is larger than any memory",
    "pack.ts",
    `import { newPack } from "packsmith";\ntype T0 = "xxxxxxxx";\n${Array.from({ length: 30 }, (_, i) => `type T${i + 1} = \`\${T${i}}\${T${i}}\`;`).join("\n")}\nexport const text: T30 = "";\nexport const pack = newPack();`,
  ),
  json(
    "a Pack that never ends loading",
    "pack.ts",
    'import { newPack } from "packsmith";\nexport const pack = newPack();\nfor (;;);',
  ),
  json(
    "a Pack that grows while it loads",
    "pack.ts",
    'import { newPack } from "packsmith";\nexport const pack = newPack();\nconst a: unknown[] = []; for (;;) a.push(new Array(1e5).fill(1));',
  ),
  json(
    "a Pack with Node's modules",
    "pack.ts",
    'import { newPack } from "packsmith";\nimport { writeFileSync } from "node:fs";\nimport { execSync } from "node:child_process";\nexport const pack = newPack();\nwriteFileSync("outside", "x"); execSync("true");',
  ),
  json(
    "a Pack of many levels",
    "pack.ts",
    `import { newPack } from "packsmith";\nexport const pack = newPack();\nconst a = ${"[".repeat(50_000)}${"]".repeat(50_000)};`,
  ),
  json(
    "a Pack of one long line",
    "pack.ts",
    `import { newPack } from "packsmith";\nexport const pack = newPack(); // ${"x".repeat(20_000_000)}`,
  ),
  json("a listing with paths outside", "packsmith.config.json", {
    shortDescription: "x",
    longDescription: { file: "/etc/passwd" },
    logo: "/etc/passwd",
    cover: "/dev/zero",
    images: ["/etc/passwd", "../../../../etc/passwd", "/dev/zero"],
    exampleImages: ["/dev/zero"],
  }),
  json("a listing of many levels", "packsmith.config.json", `${"[".repeat(200_000)}`),
  json("a Pack's id that is an object", ".coda-pack.json", {
    packId: {},
    environmentPackIds: [],
    options: { apiEndpoint: {}, timerStrategy: {}, gitTag: "x" },
  }),
  json("an apiEndpoint of someone else", ".coda-pack.json", {
    packId: 1,
    options: { apiEndpoint: "http://127.0.0.1:9" },
  }),
  json("a seed of many levels", "seed.json", "[".repeat(300_000)),
  json(
    "a seed in YAML with references that multiply",
    "seed.json",
    [
      "a: &a [1,1,1,1,1,1,1,1,1]",
      ...Array.from(
        { length: 9 },
        (_, i) =>
          `${"bcdefghij"[i]}: &${"bcdefghij"[i]} [${Array(9).fill(`*${"abcdefghi"[i]}`).join(",")}]`,
      ),
    ].join("\n"),
  ),
  json("a description of an API that refers to itself", "openapi.json", {
    openapi: "3.0.0",
    info: { title: "../../outside", version: "1" },
    servers: [{ url: "file:///etc/passwd" }],
    paths: {
      "/a": {
        $ref: "#/paths/~1a",
        get: { parameters: [{ $ref: "/dev/zero" }], responses: { 200: { $ref: "#/x" } } },
      },
    },
    x: { $ref: "#/x" },
  }),
  json(
    "options of the provider that are a program",
    "options.json",
    '{ "clients": "x", "users": 3 }',
  ),
  {
    name: "a changelog of 60 MB in one line",
    put: ({ folder }) =>
      writeFileSync(join(folder, "CHANGELOG.md"), `## ${"1.".repeat(30_000_000)}`),
  },
  {
    name: "recordings that lead out",
    put: (place) => {
      place.write("cassettes/cassette.json", "{}");
      symlinkSync("/dev/zero", join(place.folder, "cassettes/a.json"));
      symlinkSync("/etc/passwd", join(place.folder, "cassettes/b.json"));
    },
  },
];
