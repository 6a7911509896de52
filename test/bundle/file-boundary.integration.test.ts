import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bundleAhead, bundlePack, createPackBundler } from "../../src/bundle/bundle-pack.ts";
import { type BuildProblem, isPackError } from "../../src/errors.ts";
import { chooseCases } from "../support/breadth.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const SECRET = "planted-2f6c1d";
const PACK = `import { newPack } from "packsmith";\nimport value from "./value.ts";\nexport const pack = newPack({ version: "1" });\nexport const used = value;\n`;

/** A machine with a vault, a private file and the projects of an author. */
let machine: ReturnType<typeof makeTemporaryFolder>;

beforeEach(() => {
  machine = makeTemporaryFolder();
  write("home/vault.key", `v1:${SECRET}`);
  write("private/token.txt", SECRET);
  write("private/broken.js", `const = "${SECRET}"`);
  write("private/data.json", JSON.stringify({ SECRET }));
  write("project/package.json", "{}");
  write("project/pack.ts", PACK);
  vi.stubEnv("PACKSMITH_HOME", at("home"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  machine[Symbol.dispose]();
});

function at(path: string): string {
  return join(machine.path, path);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

function link(path: string, target: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(target, at(path));
}

async function catchProblems(work: Promise<unknown>): Promise<readonly BuildProblem[]> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (!isPackError(error, "PACK_BUILD_FAILED")) throw error ?? new Error("The Pack was built.");
  // Nothing of the file is in the error, whatever prints it.
  expect(
    JSON.stringify([error.message, error.details, error.hint, String(error.cause)]),
  ).not.toContain(SECRET);
  return error.details.problems;
}

function build(entry = "project/pack.ts") {
  return bundlePack({ entry: at(entry) });
}

function evil(code: string, file = "index.js"): void {
  write("project/node_modules/evil/package.json", `{ "name": "evil", "main": "${file}" }`);
  write(`project/node_modules/evil/${file}`, code);
  write("project/value.ts", `export { default } from "evil";`);
}

describe("a Pack cannot import", () => {
  const text = 'with { type: "text" }';

  it.each<[string, () => void]>(
    chooseCases<[string, () => void]>(
      [
        [
          "a text outside of its project",
          () =>
            write("project/value.ts", `export { default } from "../private/token.txt" ${text};`),
        ],
        [
          "bytes",
          () =>
            write(
              "project/value.ts",
              `import b from "../private/token.txt" with { type: "bytes" };\nexport default b;`,
            ),
        ],
        [
          "JSON",
          () => write("project/value.ts", `export { default } from "../private/data.json";`),
        ],
        [
          "a file with the loader of its name",
          () => write("project/value.ts", `export { default } from "../private/token.txt";`),
        ],
        [
          "a file with a query after its name",
          () =>
            write(
              "project/value.ts",
              `export { default } from "../private/token.txt?raw" ${text};`,
            ),
        ],
        [
          "an absolute path",
          () =>
            write(
              "project/value.ts",
              `export { default } from "${at("private/token.txt")}" ${text};`,
            ),
        ],
        [
          "by require",
          () => write("project/value.ts", `export default require("../private/data.json");`),
        ],
        [
          "by import()",
          () => write("project/value.ts", `export default import("../private/data.json");`),
        ],
        [
          "a file that it does not use",
          () => write("project/value.ts", `import "../private/data.json";\nexport default 1;`),
        ],
        [
          "a path of tsconfig.json",
          () => {
            write(
              "project/tsconfig.json",
              '{ "compilerOptions": { "paths": { "secret": ["../private/data.json"] } } }',
            );
            write("project/value.ts", `export { default } from "secret";`);
          },
        ],
        [
          "a link to a file",
          () => {
            link("project/token.txt", at("private/token.txt"));
            write("project/value.ts", `export { default } from "./token.txt" ${text};`);
          },
        ],
        [
          "a link to a folder",
          () => {
            link("project/linked", at("private"));
            write("project/value.ts", `export { default } from "./linked/token.txt" ${text};`);
          },
        ],
        [
          "a link with the name of a module",
          () => link("project/value.ts", at("private/data.json")),
        ],
      ],
      2,
    ),
  )("%s", async (_, prepare) => {
    prepare();
    const [problem] = await catchProblems(build());
    expect(problem).toMatchObject({ code: "FILE_OUTSIDE_PROJECT" });
    expect(problem?.message).toMatch(
      /^The Pack imports a file outside of its project: pack\.ts → .*private\//,
    );
    expect(problem?.hint).toBe(
      `Copy the file into ${at("project")}, or remove the import. Import packages by their name.`,
    );
  });

  it("code in a folder next to the project, and the hint has the smallest change", async () => {
    write("common/value.ts", "export default 1;");
    write("project/value.ts", `export { default } from "../common/value.ts";`);
    const [problem] = await catchProblems(build());
    expect(problem?.hint).toContain(`make ${dirname(at("project"))} a workspace`);
    write("package.json", `{ "private": true, "workspaces": ["*"] }`);
    await build();
  });

  it("a file that does not parse, and the message does not quote it", async () => {
    write("project/value.ts", `export { default } from "../private/broken.js";`);
    expect(await catchProblems(build())).toMatchObject([
      { code: "FILE_OUTSIDE_PROJECT", file: "value.ts", line: 1, column: 25 },
    ]);
  });

  it.each(["../home/vault.key", "./vault.key"])(
    "the vault (%s), even when the vault is in the project",
    async (path) => {
      if (path.startsWith("./")) {
        vi.stubEnv("PACKSMITH_HOME", at("project"));
        write("project/vault.key", SECRET);
      }
      write("project/value.ts", `export { default } from "${path}" ${text};`);
      const [problem] = await catchProblems(build());
      expect(problem?.message).toMatch(
        /^The Pack imports a file of the vault: pack\.ts → value\.ts → .*vault\.key$/,
      );
      expect(problem?.hint).toBe(
        "Remove the import. If another author wrote the import, do not use this Pack or package.",
      );
    },
  );

  it("the vault in a package that a link in node_modules names", async () => {
    write("elsewhere/package.json", '{ "name": "elsewhere" }');
    write("elsewhere/.packsmith/vault.key", SECRET);
    vi.stubEnv("PACKSMITH_HOME", at("elsewhere/.packsmith"));
    link("project/node_modules/elsewhere", at("elsewhere"));
    write("project/value.ts", `export { default } from "elsewhere/.packsmith/vault.key" ${text};`);
    expect(await catchProblems(build())).toMatchObject([
      { message: expect.stringContaining("a file of the vault") },
    ]);
  });

  it("what the imports of a package reach: the chain names the package", async () => {
    evil(`export { default } from "../../../home/vault.key" ${text};`);
    expect(await catchProblems(build())).toEqual([
      {
        message:
          "The Pack imports a file of the vault: pack.ts → value.ts → node_modules/evil/index.js → ../home/vault.key",
        code: "FILE_OUTSIDE_PROJECT",
        hint: "Remove the import. If another author wrote the import, do not use this Pack or package.",
        file: "node_modules/evil/index.js",
        line: 1,
        column: 25,
      },
    ]);
  });

  it.each<[string, () => void]>(
    chooseCases<[string, () => void]>(
      [
        [
          "a file of the project",
          () => {
            write("project/.env", SECRET);
            evil(`export { default } from "../../.env" ${text};`);
          },
        ],
        [
          "a link in the package",
          () => {
            link("project/node_modules/evil/token.txt", at("private/token.txt"));
            evil(`export { default } from "./token.txt" ${text};`);
          },
        ],
        [
          "a package that is a link in the package",
          () => {
            write("private/package.json", "{}");
            link("project/node_modules/evil/node_modules/dependency", at("private"));
            evil(`export { default } from "dependency/token.txt" ${text};`);
          },
        ],
        [
          "a file in place of itself",
          () => {
            write("project/node_modules/evil/package.json", "{}");
            write("project/value.ts", `export { default } from "evil";`);
            write(
              "project/node_modules/evil/package.json",
              '{ "name": "evil", "browser": { "./index.js": "../../../private/data.json" } }',
            );
            write("project/node_modules/evil/index.js", "export default 1;");
          },
        ],
      ],
      2,
    ),
  )("through a package: %s", async (_, prepare) => {
    prepare();
    expect(await catchProblems(build())).toMatchObject([{ code: "FILE_OUTSIDE_PROJECT" }]);
  });

  it("when several Packs are built together, or one again", async () => {
    write("project/value.ts", `export { default } from "../private/token.txt" ${text};`);
    write("project/other.ts", PACK.replace("./value.ts", "./fine.ts"));
    write("project/fine.ts", "export default 1;");
    const entries = [at("project/pack.ts"), at("project/other.ts")];
    const next = bundleAhead(entries, {});
    expect(await catchProblems(next(at("project/pack.ts")))).toMatchObject([
      { code: "FILE_OUTSIDE_PROJECT" },
    ]);
    expect((await next(at("project/other.ts"))).code).not.toContain(SECRET);
    await using bundler = createPackBundler({ entry: at("project/pack.ts") });
    expect(await catchProblems(bundler.rebuild())).toMatchObject([
      { code: "FILE_OUTSIDE_PROJECT" },
    ]);
  });

  describe.runIf(process.platform !== "win32")(
    "through a file of its own whose name looks like one of esbuild's",
    () => {
      it.each(
        chooseCases(
          [
            "<runtime>",
            "<data:text/plain,a>.ts",
            "x:/file.ts",
            "x:file.ts",
            "(disabled):/file.ts",
            "(disabled):fs",
            "absent:fs",
          ],
          3,
        ),
      )("%s", async (name) => {
        write("project/value.ts", `export { default } from "./${name}";`);
        write(`project/${name}`, `export { default } from "${at("private/token.txt")}" ${text};`);
        expect(await catchProblems(build())).toMatchObject([{ code: "FILE_OUTSIDE_PROJECT" }]);
      });

      it("which hides behind a module of esbuild with the same name", async () => {
        write("project/package.json", '{ "browser": { "fs": false } }');
        write(
          "project/value.ts",
          `import file from "./(disabled):fs";\nimport "fs";\nexport default file;`,
        );
        write(
          "project/(disabled):fs",
          `export { default } from "${at("private/token.txt")}" ${text};`,
        );
        expect(await catchProblems(build())).toMatchObject([{ code: "FILE_OUTSIDE_PROJECT" }]);
      });
    },
  );

  describe("by a pattern", () => {
    const name = 'const name = "data";';

    it.each<[string, () => void]>([
      [
        "of require",
        () =>
          write(
            "project/value.ts",
            `${name}\nexport default require("../private/" + name + ".json");`,
          ),
      ],
      [
        "of import()",
        () =>
          write(
            "project/value.ts",
            `${name}\nexport default import(\`../private/\${name}.json\`);`,
          ),
      ],
      [
        "of a package",
        () => evil(`${name}\nmodule.exports = require("../../../private/" + name + ".json");`),
      ],
      [
        "of a package that reads its project",
        () => {
          write("project/settings/data.json", JSON.stringify({ SECRET }));
          evil(`${name}\nmodule.exports = require("../../settings/" + name + ".json");`);
        },
      ],
    ])("%s", async (_, prepare) => {
      prepare();
      expect(await catchProblems(build())).toMatchObject([{ code: "FILE_OUTSIDE_PROJECT" }]);
    });

    it.runIf(process.platform !== "win32")("through a link to a folder", async () => {
      link("project/linked", at("private"));
      write("project/value.ts", `${name}\nexport default require("./linked/" + name + ".json");`);
      expect(await catchProblems(build())).toMatchObject([{ code: "FILE_OUTSIDE_PROJECT" }]);
    });

    it("when several Packs are built together", async () => {
      write("project/value.ts", `${name}\nexport default require("../private/" + name + ".json");`);
      write("project/other.ts", PACK);
      const next = bundleAhead([at("project/pack.ts"), at("project/other.ts")], {});
      for (const entry of ["project/pack.ts", "project/other.ts"])
        expect(await catchProblems(next(at(entry)))).toMatchObject([
          { code: "FILE_OUTSIDE_PROJECT" },
        ]);
    });
  });

  it.each([
    ["a virtual folder of Yarn", "./__virtual__/any/1/private/data.json"],
    [
      "a virtual folder of Yarn in one that looks like a name of esbuild",
      "./x:/__virtual__/any/2/private/data.json",
    ],
    ["an archive", "./__virtual__/any.zip/data.json"],
  ])("what is in %s", async (_, specifier) => {
    write("project/value.ts", `export { default } from "${specifier}";`);
    expect(await catchProblems(build())).toHaveLength(1);
  });

  it.runIf(process.platform !== "win32")(
    "by a link to the home folder, even when that has a package.json",
    async () => {
      write("person/package.json", "{}");
      write("person/.ssh/id", SECRET);
      vi.stubEnv("HOME", at("person"));
      link("project/node_modules/evil", at("person"));
      write("project/value.ts", `export { default } from "evil/.ssh/id" ${text};`);
      expect(await catchProblems(build())).toMatchObject([{ code: "FILE_OUTSIDE_PROJECT" }]);
    },
  );

  it("as its entry, when that is a link to a file that is not a part of a project", async () => {
    link("project/linked.ts", at("private/broken.js"));
    expect(await catchProblems(build("project/linked.ts"))).toMatchObject([
      { code: "FILE_OUTSIDE_PROJECT" },
    ]);
  });

  describe.runIf(process.platform === "linux")(
    "what is not a file on a disk, and it is not read",
    () => {
      it.each<[string, () => void]>([
        [
          "a device that never ends",
          () => write("project/value.ts", `export { default } from "/dev/zero" ${text};`),
        ],
        [
          "such a device, by its members",
          () =>
            write(
              "project/value.ts",
              `import * as all from "/dev/zero" ${text};\nexport default all;`,
            ),
        ],
        [
          "such a device, without its type",
          () => write("project/value.ts", `import "/dev/zero";\nexport default 1;`),
        ],
        ["a link to it", () => link("project/value.ts", "/dev/zero")],
        [
          "the variables of a process",
          () => write("project/value.ts", `export { default } from "/proc/self/environ" ${text};`),
        ],
        ["a link to them", () => link("project/value.ts", "/proc/self/environ")],
        [
          "a path through the root of a process",
          () =>
            write(
              "project/value.ts",
              `export { default } from "/proc/self/root${at("private/token.txt")}" ${text};`,
            ),
        ],
        ["from a package", () => evil(`export { default } from "/dev/zero" ${text};`)],
      ])("%s", async (_, prepare) => {
        prepare();
        expect(await catchProblems(build())).toMatchObject([{ code: "FILE_OUTSIDE_PROJECT" }]);
      });

      it.each(["/dev/zero", "/proc/self/environ"])("as its entry: a link to %s", async (target) => {
        link("project/linked.ts", target);
        expect(await catchProblems(build("project/linked.ts"))).toMatchObject([
          { code: "FILE_OUTSIDE_PROJECT" },
        ]);
      });
    },
  );

  describe.runIf(process.platform === "linux")(
    "a pipe or a device, which is not read either",
    () => {
      const pipe = (path: string): void => {
        mkdirSync(dirname(at(path)), { recursive: true });
        execFileSync("mkfifo", [at(path)]);
      };

      it.each<[string, () => void, string]>(
        chooseCases<[string, () => void, string]>(
          [
            ["tsconfig.json is a pipe", () => pipe("project/tsconfig.json"), "tsconfig.json"],
            [
              "tsconfig.json is a link to a device",
              () => link("project/tsconfig.json", "/dev/zero"),
              "tsconfig.json",
            ],
            [
              "jsconfig.json is a link to a device",
              () => link("project/jsconfig.json", "/dev/zero"),
              "jsconfig.json",
            ],
            [
              "package.json is a pipe",
              () => pipe("project/folder/package.json"),
              "folder/package.json",
            ],
            [
              "package.json is a link to a device",
              () => link("project/folder/package.json", "/dev/zero"),
              "folder/package.json",
            ],
            [
              "a configuration in a folder above is a pipe",
              () => pipe("tsconfig.json"),
              "../tsconfig.json",
            ],
            [
              "a configuration in a folder below is a pipe",
              () => pipe("project/a/b/tsconfig.json"),
              "a/b/tsconfig.json",
            ],
            [
              "a configuration extends a device",
              () => write("project/tsconfig.json", '{ "extends": "/dev/zero" }'),
              "/dev/zero",
            ],
            [
              "a configuration extends a device, with escapes",
              () =>
                write("project/tsconfig.json", String.raw`{ "e\u0078tends": "\/dev\u002Fzero" }`),
              "/dev/zero",
            ],
            [
              "a configuration in a folder below extends a pipe",
              () => {
                write("project/a/tsconfig.json", '{ "extends": "./base.json" }');
                pipe("project/a/base.json");
              },
              "a/base.json",
            ],
            [
              "the packages of Yarn are a device",
              () => link("project/.pnp.data.json", "/dev/zero"),
              ".pnp.data.json",
            ],
            [
              "a configuration extends one that extends a pipe",
              () => {
                write("project/tsconfig.json", '{ "extends": "./base.json" }');
                write("project/base.json", '{ "extends": ["./other"] }');
                pipe("project/other.json");
              },
              "other.json",
            ],
          ],
          2,
        ),
      )("%s", async (_, prepare, named) => {
        write("project/value.ts", "export default 1;");
        prepare();
        const [problem] = await catchProblems(build());
        expect(problem).toMatchObject({
          code: "FILE_OUTSIDE_PROJECT",
          message: expect.stringContaining(`${named} is a pipe or a device`),
        });
      });

      it("a configuration above a linked package extends a pipe", async () => {
        evil("export default 1;");
        renameSync(at("project/node_modules"), at("project/elsewhere"));
        mkdirSync(at("other/packages"), { recursive: true });
        renameSync(at("project/elsewhere/evil"), at("other/packages/evil"));
        link("project/node_modules/evil", at("other/packages/evil"));
        write("other/tsconfig.json", '{ "extends": "./base.json" }');
        pipe("other/base.json");
        expect(await catchProblems(build())).toMatchObject([
          { file: "value.ts", message: expect.stringContaining("base.json is a pipe or a device") },
        ]);
      });

      it("a module is a pipe", async () => {
        pipe("project/value.ts");
        expect(await catchProblems(build())).toMatchObject([
          { file: "pack.ts", line: 2, message: "value.ts is a pipe or a device, not a file." },
        ]);
      });

      it("a package is a pipe", async () => {
        write("project/value.ts", `export { default } from "words";`);
        pipe("project/node_modules/words");
        expect(await catchProblems(build())).toMatchObject([
          { file: "value.ts", message: "The package words is a pipe or a device, not a file." },
        ]);
      });

      it("a folder of a package above another one is a pipe: esbuild does not open it", async () => {
        write("project/value.ts", `export { default } from "words";`);
        write("project/node_modules/words/package.json", '{ "main": "main.js" }');
        write("project/node_modules/words/main.js", "export default 777009;");
        pipe("node_modules/words");
        expect((await build()).code).toContain("777009");
      });

      it.each<[string, string, string, string]>([
        ["a folder of modules", "project/d", "./d/x", "d"],
        ["a folder of modules, with a slash at the end", "project/d", "./d/", "d"],
        ["a folder with folders", "project/a/d", "./a/d/b/x", "d"],
        ["a folder of modules above", "d", "../d/x", "d"],
        ["a scope", "project/node_modules/@s", "@s/x", "The package @s/x"],
        ["a package in a scope", "project/node_modules/@s/x", "@s/x/y", "The package @s/x"],
        ["a folder of a package", "project/node_modules/words/d", "words/d/x", "d"],
      ])("%s is a pipe", async (_, path, specifier, named) => {
        write("project/value.ts", `export { default } from "${specifier}";`);
        pipe(path);
        expect(await catchProblems(build())).toMatchObject([
          { file: "value.ts", message: `${named} is a pipe or a device, not a file.` },
        ]);
      });

      it.each([
        '{ "paths": { "words/*": ["./d/*"] } }',
        '{ "baseUrl": "." , "paths": { "words/*": ["./d/*"] } }',
      ])("a configuration maps imports to a pipe: %s", async (options) => {
        write("project/tsconfig.json", `{ "compilerOptions": ${options} }`);
        write("project/value.ts", `export { default } from "words/x";`);
        pipe("project/d");
        await catchProblems(build());
      });

      it("the entry is a pipe", async () => {
        pipe("project/other.ts");
        await expect(build("project/other.ts")).rejects.toMatchObject({
          code: "PACK_FILE_UNREADABLE",
        });
      });

      it.each<[string, string]>([
        ["a device", "/dev/zero"],
        ["a device as a URL", "file:///dev/zero"],
        ["a device by a path", "../../../../../../../../../../dev/zero"],
        ["a pipe", "pipe.map"],
        ["the variables of a process", "/proc/self/environ"],
      ])("the source map of a package is %s: the package is bundled without it", async (_, url) => {
        evil(`export default "déjà vu";\n//# sourceMappingURL=${url}\n`);
        pipe("project/node_modules/evil/pipe.map");
        const { code, issues } = await build();
        expect(code).toContain("d\\xE9j\\xE0 vu");
        expect(issues).toEqual([]);
      });

      it("a configuration that extends itself is no problem", async () => {
        write("project/value.ts", "export default 777008;");
        write("project/tsconfig.json", '{ "extends": "./base.json" }');
        write("project/base.json", '{ "extends": "./tsconfig.json" }');
        expect((await build()).code).toContain("777008");
      });
    },
  );

  it.each<[string, string, () => void]>(
    chooseCases<[string, string, () => void]>(
      [
        [
          "exports",
          "evil",
          () =>
            write(
              "project/node_modules/evil/package.json",
              '{ "exports": "./../../../private/data.json" }',
            ),
        ],
        [
          "exports of a folder",
          "evil/up/private/data.json",
          () =>
            write(
              "project/node_modules/evil/package.json",
              '{ "exports": { "./up/*": "./../../../*" } }',
            ),
        ],
        [
          "main",
          "evil",
          () =>
            write(
              "project/node_modules/evil/package.json",
              '{ "main": "../../../private/data.json" }',
            ),
        ],
        [
          "module",
          "evil",
          () =>
            write(
              "project/node_modules/evil/package.json",
              '{ "module": "../../../private/data.json" }',
            ),
        ],
        [
          "browser",
          "evil",
          () =>
            write(
              "project/node_modules/evil/package.json",
              '{ "browser": "../../../private/data.json" }',
            ),
        ],
        [
          "imports",
          "#data",
          () =>
            write("project/package.json", '{ "imports": { "#data": "./../private/data.json" } }'),
        ],
        [
          "a base URL",
          "private/data.json",
          () => write("project/tsconfig.json", '{ "compilerOptions": { "baseUrl": ".." } }'),
        ],
        [
          "paths of a configuration that another one extends",
          "secret/data.json",
          () => {
            write("project/tsconfig.json", '{ "extends": "../other/tsconfig.json" }');
            write(
              "other/tsconfig.json",
              '{ "compilerOptions": { "paths": { "secret/*": ["../private/*"] } } }',
            );
          },
        ],
        ["a URL of a file", "FILE", () => undefined],
      ],
      2,
    ),
  )(
    "by %s of a configuration: nothing of the file is in the bundle",
    async (_, specifier, prepare) => {
      mkdirSync(at("project/node_modules/evil"), { recursive: true });
      prepare();
      const named = specifier === "FILE" ? `file://${at("private/data.json")}` : specifier;
      write("project/value.ts", `import * as all from "${named}";\nexport default all;`);
      await catchProblems(build());
    },
  );

  it.runIf(process.platform !== "win32")(
    "by a link from one package to another file system path with its package.json",
    async () => {
      write("private/package.json", '{ "name": "private", "main": "data.json" }');
      link("project/node_modules/evil/node_modules/inner", at("private"));
      evil(`export { default } from "inner";`);
      expect(await catchProblems(build())).toMatchObject([{ code: "FILE_OUTSIDE_PROJECT" }]);
    },
  );

  it.each(
    chooseCases(
      [
        [
          "of its own",
          () =>
            write(
              "project/value.ts",
              "export default 12345;\n//# sourceMappingURL=../private/code.map\n",
            ),
        ],
        [
          "of a package",
          () => evil("module.exports = 12345;\n//# sourceMappingURL=../../../private/code.map\n"),
        ],
        [
          "without an ending",
          () => {
            write("project/value.ts", `export { default } from "./plain";`);
            write(
              "project/plain",
              `export default 12345;\n//# sourceMappingURL=${at("private/code.map")}\n`,
            );
          },
        ],
      ],
      2,
    ),
  )(
    "as the source map of a file %s: nothing of it is in the map of the bundle",
    async (_, prepare) => {
      const map = {
        version: 3,
        sources: ["code.js"],
        sourcesContent: [SECRET],
        names: [SECRET],
        mappings: "AAAAA",
      };
      write("private/code.map", JSON.stringify(map));
      prepare();
      const { code, sourceMap } = await build();
      expect(code).toContain("12345");
      expect(sourceMap).not.toContain(SECRET);
    },
  );

  it("as the source of a source map: its text is not in the map of the bundle", async () => {
    const map = {
      version: 3,
      sources: ["../../../private/token.txt"],
      sourcesContent: [null],
      names: [],
      mappings: "AAAA",
    };
    evil("export default 12345;\n//# sourceMappingURL=index.js.map\n");
    write("project/node_modules/evil/index.js.map", JSON.stringify(map));
    const { code, sourceMap } = await build();
    expect(code).toContain("12345");
    expect(sourceMap).not.toContain(SECRET);
  });
});

describe("a Pack imports", () => {
  it("the files of its own that a pattern can mean, and those of a package that the package's pattern can mean", async () => {
    write("project/texts/hello.json", '"greeting-of-the-project"');
    write("project/node_modules/evil/texts/hello.json", '"greeting-of-the-package"');
    evil(`const name = "hello";\nmodule.exports = require("./texts/" + name + ".json");`);
    write(
      "project/value.ts",
      `import other from "evil";\nconst name = "hello";\nexport default [other, require("./texts/" + name + ".json")];`,
    );
    const { code, inputPaths } = await build();
    expect(code).toContain("greeting-of-the-project");
    expect(code).toContain("greeting-of-the-package");
    expect(inputPaths).toContain(at("project/texts/hello.json"));
  });

  it("the content of a URL", async () => {
    write(
      "project/value.ts",
      `export { default } from "data:text/javascript,export default 'text-in-a-url'";`,
    );
    expect((await build()).code).toContain("text-in-a-url");
  });

  it("a text of its own project, and the list of inputs has the plain path", async () => {
    write("project/greeting.txt", "Hello from a file");
    write("project/value.ts", `export { default } from "./greeting.txt" with { type: "text" };`);
    const { code, inputs, inputPaths } = await build();
    expect(code).toContain("Hello from a file");
    expect(inputs.map(({ path }) => path)).toContain("greeting.txt");
    expect(inputPaths).toContain(at("project/greeting.txt"));
  });

  it.each<[string, () => void]>([
    ["a git repository", () => write("workspace/.git/HEAD", "")],
    ["a pnpm workspace", () => write("workspace/pnpm-workspace.yaml", "")],
    ["an npm workspace", () => write("workspace/package.json", '{ "workspaces": ["packs/*"] }')],
    ["an Nx workspace", () => write("workspace/nx.json", "{}")],
    ["a Bazel workspace", () => write("workspace/MODULE.bazel", "")],
  ])("other folders of %s", async (_, prepare) => {
    prepare();
    write("workspace/shared/value.ts", "export default 777001;");
    write("workspace/packs/a/package.json", "{}");
    write("workspace/packs/a/pack.ts", PACK.replace("./value.ts", "../../shared/value.ts"));
    expect((await build("workspace/packs/a/pack.ts")).code).toContain("777001");
  });

  it("packages of pnpm: links into its store, and their dependencies next to them", async () => {
    const store = "workspace/node_modules/.pnpm";
    write(`${store}/outer@1/node_modules/outer/package.json`, '{ "main": "index.js" }');
    write(
      `${store}/outer@1/node_modules/outer/index.js`,
      'export { default } from "inner/value.js";',
    );
    write("global-store/inner@1/node_modules/inner/package.json", "{}");
    write("global-store/inner@1/node_modules/inner/value.js", "export default 777002;");
    link(`${store}/outer@1/node_modules/inner`, at("global-store/inner@1/node_modules/inner"));
    link("workspace/packs/a/node_modules/outer", at(`${store}/outer@1/node_modules/outer`));
    write("workspace/pnpm-workspace.yaml", "");
    write("workspace/packs/a/package.json", "{}");
    write("workspace/packs/a/pack.ts", PACK.replace("./value.ts", "outer"));
    expect((await build("workspace/packs/a/pack.ts")).code).toContain("777002");
  });

  it("packages of the workspace by their name, which import others", async () => {
    write("workspace/package.json", '{ "workspaces": ["packs/*"] }');
    write("workspace/packs/a/pack.ts", PACK.replace("./value.ts", "@own/library"));
    write("workspace/packs/library/package.json", '{ "name": "@own/library", "main": "index.ts" }');
    write("workspace/packs/library/index.ts", 'export { default } from "../other/value";');
    write("workspace/packs/other/value.ts", "export default 777003;");
    link("workspace/node_modules/@own/library", "../../packs/library");
    expect((await build("workspace/packs/a/pack.ts")).code).toContain("777003");
  });

  it("a package that npm link has put there", async () => {
    write("elsewhere/library/package.json", '{ "main": "index.js" }');
    write("elsewhere/library/index.js", 'export { default } from "./value.js";');
    write("elsewhere/library/value.js", "export default 777004;");
    link("project/node_modules/library", at("elsewhere/library"));
    write("project/value.ts", 'export { default } from "library";');
    expect((await build()).code).toContain("777004");
  });

  it("a package of a node_modules above its project", async () => {
    write("node_modules/above/package.json", '{ "main": "index.js" }');
    write("node_modules/above/index.js", "export default 777005;");
    write("project/value.ts", 'export { default } from "above";');
    expect((await build()).code).toContain("777005");
  });

  it("sources that a build system presents as links into the workspace", async () => {
    write("workspace/MODULE.bazel", "");
    write("workspace/packs/pack.ts", PACK);
    write("workspace/packs/value.ts", 'export { default } from "../shared/value.ts";');
    write("workspace/shared/value.ts", "export default 777006;");
    for (const path of ["packs/pack.ts", "packs/value.ts", "shared/value.ts"])
      link(`sandbox/${path}`, at(`workspace/${path}`));
    expect((await build("sandbox/packs/pack.ts")).code).toContain("777006");
  });

  it("files next to it when there is no project at all", async () => {
    write("loose/pack.ts", PACK);
    write("loose/value.ts", 'export { default } from "./folder/value.ts";');
    write("loose/folder/value.ts", "export default 777007;");
    expect((await build("loose/pack.ts")).code).toContain("777007");
  });
});

it("a home folder is not a project, even when it has a package.json", async () => {
  vi.stubEnv("HOME", at("user"));
  write("user/package.json", "{}");
  write("user/.netrc", SECRET);
  write("user/packs/pack.ts", PACK);
  write("user/packs/value.ts", 'export { default } from "../.netrc" with { type: "text" };');
  expect(await catchProblems(build("user/packs/pack.ts"))).toMatchObject([
    { code: "FILE_OUTSIDE_PROJECT" },
  ]);
});
