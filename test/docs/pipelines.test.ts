import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { chooseCases, isLong } from "../support/breadth.ts";
import { makePackWorkspace } from "../support/pack-workspace.ts";
import { checkPublishing, listTexts, readExample } from "./publish-pipeline.ts";

const docs = new URL("../../docs/", import.meta.url);
const page = readFileSync(new URL("pipelines.md", docs), "utf8");

function makeRepository() {
  return makePackWorkspace(3, {
    root: {
      "package.json": '{ "name": "packs", "private": true }\n',
      "package-lock.json": "{}\n",
      Makefile: readExample("Makefile"),
    },
    packageJson: (name) => `{ "name": "${name}" }\n`,
  });
}

function run(command: string, cwd: string) {
  const path = `${join(cwd, "node_modules/.bin")}:${process.env["PATH"]}`;
  return spawnSync("/bin/sh", ["-c", command], {
    cwd,
    encoding: "utf8",
    env: { PATH: path, HOME: cwd, CI: "1", NO_COLOR: "1" },
    timeout: 120_000,
  });
}

describe("docs/pipelines.md", () => {
  it.each(readdirSync(new URL("pipelines/", docs)))("shows pipelines/%s as it is", (name) => {
    const shown = page
      .split(`[pipelines/${name}](pipelines/${name})\n\n\`\`\``)[1]
      ?.split("\n```\n", 1)[0];
    expect(shown?.slice(shown.indexOf("\n") + 1)).toBe(readExample(name).trimEnd());
  });

  const commands = ["github.yml", "gitlab.yml"].flatMap((name) =>
    listTexts(parse(readExample(name)))
      .filter((text) => /\bpacksmith (?:build|validate)\b/.test(text))
      .map((command) => ({ name, command })),
  );

  it("has the commands of both hosts", () => {
    expect(commands.map(({ command }) => /--(?:format \w+|budget \w+)/.exec(command)?.[0])).toEqual(
      [
        ...[
          "--format github",
          "--format sarif",
          "--budget 200kb",
          "--format gitlab",
          "--budget 200kb",
        ],
      ],
    );
  });

  // Both hosts have some commands in common.
  const distinct = commands.filter(
    ({ command }, index) => commands.findIndex((other) => other.command === command) === index,
  );

  it.each(chooseCases(distinct, 4))(
    "$name: `$command` passes in a repository of Packs, and fails when one has a mistake",
    ({ command }) => {
      using repository = makeRepository();
      const line = command.replace(/^npx /, "");
      expect(run(line, repository.path)).toMatchObject({ status: 0 });
      const report = /> (\S+)$/.exec(line)?.[1];
      if (report !== undefined)
        expect(() => JSON.parse(readFileSync(join(repository.path, report), "utf8"))).not.toThrow();
      repository.write(
        "packs/pack-02/pack.ts",
        'import { newPack } from "packsmith";\nexport const pack = newPack({ formulas: [{ name: "A b" }] as never });\n',
      );
      const failed = run(line, repository.path);
      expect(failed.status).toBe(1);
      if (report !== undefined)
        expect(readFileSync(join(repository.path, report), "utf8")).toContain(
          "packs/pack-02/pack.ts",
        );
    },
  );

  it("names the actions' and jobs' own members as their hosts read them", () => {
    const github = parse(readExample("github.yml")) as {
      jobs: { packs: { steps: Record<string, unknown>[] } };
    };
    for (const step of github.jobs.packs.steps)
      expect(Object.keys(step).some((key) => key === "run" || key === "uses")).toBe(true);
    const gitlab = parse(readExample("gitlab.yml")) as {
      packs: { script: string[]; artifacts: { reports: { codequality: string } } };
    };
    expect(gitlab.packs.script.join("\n")).toContain(
      `> ${gitlab.packs.artifacts.reports.codequality}`,
    );
  });

  checkPublishing("publish-github.yml");

  describe("the Makefile", () => {
    const make = ({ path }: { path: string }, target = "all") => run(`make ${target}`, path);
    const bundle = ({ path }: { path: string }, name: string) =>
      readFileSync(join(path, "build", name, "bundle.js"), "utf8");

    it("builds what changed, and then finds nothing to do", () => {
      using repository = makeRepository();
      const { path, names, write } = repository;
      expect(make(repository)).toMatchObject({ status: 0 });
      expect(names.every((name) => existsSync(join(path, "build", name, "bundle.js")))).toBe(true);
      expect(make(repository).stdout).toContain("Nothing to be done");

      const before = names.map((name) => bundle(repository, name));
      write("packs/pack-02/lib.ts", 'export const greet = (name: string): string => name + "!";\n');
      expect(make(repository)).toMatchObject({ status: 0 });
      const changed = names.filter((name, index) => bundle(repository, name) !== before[index]);
      expect(changed).toEqual(["pack-02"]);
      expect(make(repository).stdout).toContain("Nothing to be done");

      expect(make(repository, "check")).toMatchObject({ status: 0 });
      expect(make(repository, "clean")).toMatchObject({ status: 0 });
      expect(existsSync(join(path, "build"))).toBe(false);
    });

    it("builds again after a change of any source, and of nothing else", () => {
      using repository = makeRepository();
      const { path, write } = repository;
      write("packages/format/build/deep/mark of honour.ts", 'export const mark = "!";\n');
      expect(make(repository)).toMatchObject({ status: 0 });
      for (const file of [
        "packages/format/build/deep/mark of honour.ts",
        "packs/pack-01/view.tsx",
        "packs/pack-01/data/deep/names.json",
        "config/base.json",
        "tsconfig.json",
        "package.json",
        "package-lock.json",
      ]) {
        write(file, file.endsWith(".json") ? "{}\n" : "export {};\n");
        expect([file, make(repository).stdout]).toEqual([
          file,
          expect.stringContaining("packsmith build"),
        ]);
      }
      rmSync(join(path, "packs/pack-01/view.tsx"));
      expect(make(repository).stdout).toContain("packsmith build");
      for (const file of [".git/index", "node_modules/zod/index.js"]) write(file, "");
      expect(make(repository).stdout).toContain("Nothing to be done");
    });

    it("finds nothing to do when a Pack is not named after its folder", () => {
      using repository = makeRepository();
      repository.write("packs/pack-02/package.json", '{ "name": "@team/tasks" }\n');
      expect(make(repository)).toMatchObject({ status: 0 });
      expect(existsSync(join(repository.path, "build/tasks/bundle.js"))).toBe(true);
      expect(make(repository).stdout).toContain("Nothing to be done");
    });

    it("builds again until all Packs are built", () => {
      using repository = makeRepository();
      repository.write("packs/pack-02/lib.ts", "export const greet = (;\n");
      expect(make(repository).status).not.toBe(0);
      expect(make(repository).status).not.toBe(0);
    });
  });

  it.runIf(isLong)(
    "builds again what was deleted, from the cache or without it, with the same bytes",
    () => {
      using repository = makeRepository();
      const build = () => {
        rmSync(join(repository.path, "build"), { recursive: true, force: true });
        expect(run("packsmith build packs/*/pack.ts", repository.path)).toMatchObject({
          status: 0,
        });
        return repository.names.map((name) =>
          readFileSync(join(repository.path, "build", name, "build.json"), "utf8"),
        );
      };
      const first = build();
      expect(build()).toEqual(first);
      rmSync(join(repository.path, ".cache/packsmith"), { recursive: true });
      expect(build()).toEqual(first);
    },
  );
});
