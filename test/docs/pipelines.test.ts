import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startService } from "../../src/service/packs/start-service.ts";
import { makePackWorkspace } from "../support/pack-workspace.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const docs = new URL("../../docs/", import.meta.url);
const page = readFileSync(new URL("pipelines.md", docs), "utf8");
const example = (name: string): string => readFileSync(new URL(`pipelines/${name}`, docs), "utf8");

function makeRepository() {
  return makePackWorkspace(3, {
    root: {
      "package.json": '{ "name": "packs", "private": true }\n',
      "package-lock.json": "{}\n",
      Makefile: example("Makefile"),
    },
    packageJson: (name) => `{ "name": "${name}" }\n`,
  });
}

/** Every text in a document. */
function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
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

/** Runs a command while this process serves. */
function runNextTo(
  command: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const path = `${join(cwd, "node_modules/.bin")}:${process.env["PATH"]}`;
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", `(${command}) 2>&1`], {
      cwd,
      env: { ...env, PATH: path, HOME: cwd, CI: "1", NO_COLOR: "1" },
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
    });
    child.on("close", (code) => resolve({ code, output }));
  });
}

describe("docs/pipelines.md", () => {
  it.each(readdirSync(new URL("pipelines/", docs)))("shows pipelines/%s as it is", (name) => {
    const shown = page
      .split(`[pipelines/${name}](pipelines/${name})\n\n\`\`\``)[1]
      ?.split("\n```\n", 1)[0];
    expect(shown?.slice(shown.indexOf("\n") + 1)).toBe(example(name).trimEnd());
  });

  const commands = ["github.yml", "gitlab.yml"].flatMap((name) =>
    listTexts(parse(example(name)))
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

  it.each(commands)(
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
    const github = parse(example("github.yml")) as {
      jobs: { packs: { steps: Record<string, unknown>[] } };
    };
    for (const step of github.jobs.packs.steps)
      expect(Object.keys(step).some((key) => key === "run" || key === "uses")).toBe(true);
    const gitlab = parse(example("gitlab.yml")) as {
      packs: { script: string[]; artifacts: { reports: { codequality: string } } };
    };
    expect(gitlab.packs.script.join("\n")).toContain(
      `> ${gitlab.packs.artifacts.reports.codequality}`,
    );
  });

  it.each(["publish-github.yml", "publish-gitlab.yml"])(
    "%s: the plan changes nothing, and the merge publishes, also when it is repeated",
    async (name) => {
      const jobs = parse(example(name)) as Record<string, unknown>;
      const listLines = (job: string) =>
        listTexts((jobs["jobs"] as Record<string, unknown> | undefined)?.[job] ?? jobs[job])
          .filter((text) => text.startsWith("npx packsmith "))
          .map((line) => line.replace(/^npx /, "").replace(/"\$\w+"/, "abc123"));
      const [plan, publish] = [listLines("plan"), listLines("publish")];
      expect([plan.length, publish.length]).toEqual([2, 3]);
      await using service = await startService({ mutationDelayMs: 0 });
      using repository = makePackWorkspace(0, { packageJson: () => "" });
      const send = async (path: string, body?: object) => {
        const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
        const answer = await fetch(service.url + path, {
          headers: { authorization: `Bearer ${service.token}` },
          ...init,
        });
        return (await answer.json()) as { packId: number; items: unknown[]; name: string };
      };
      const { packId } = await send("/packs", { name: "Before" });
      const { host, origin } = new URL(service.url);
      repository.write("package.json", '{ "name": "tasks", "type": "module" }');
      repository.write(
        ".coda-pack.json",
        JSON.stringify({ packId: -1, environmentPackIds: { [host]: packId } }),
      );
      repository.write("packsmith.config.json", '{ "name": "Tasks" }');
      repository.write(
        "pack.ts",
        'import { newPack } from "packsmith";\nexport const pack = newPack({ version: "1.0.0" });\n',
      );
      const env = {
        PACKSMITH_REGISTRY: origin,
        PACKSMITH_REGISTRY_TOKEN: service.token,
        PACKSMITH_KEY_STORE: "file",
      };
      for (const line of plan)
        expect(await runNextTo(line, repository.path, env), line).toMatchObject({ code: 0 });
      expect((await send(`/packs/${packId}/versions`)).items).toEqual([]);
      expect((await send(`/packs/${packId}`)).name).toBe("Before");
      for (const line of [...publish, ...publish])
        expect(await runNextTo(line, repository.path, env), line).toMatchObject({ code: 0 });
      expect((await send(`/packs/${packId}/versions`)).items).toMatchObject([
        { packVersion: "1.0.0" },
      ]);
      expect((await send(`/packs/${packId}/releases`)).items).toMatchObject([
        { packVersion: "1.0.0", releaseId: 1 },
      ]);
      expect((await send(`/packs/${packId}`)).name).toBe("Tasks");
    },
    240_000,
  );

  it("the workflow of the monorepo template plans and publishes every Pack of a clone, step by step", async () => {
    const template = new URL("../../templates/monorepo/", import.meta.url);
    const workflow = parse(
      readFileSync(new URL("_github/workflows/publish.yml", template), "utf8"),
    ) as { jobs: Record<string, { steps: { run?: string }[] }> };
    const listSteps = (job: string) =>
      (workflow.jobs[job]?.steps ?? [])
        .flatMap(({ run: line }) => (line === undefined || line === "npm ci" ? [] : [line]))
        .map((line) => line.replaceAll("npx packsmith", "packsmith"));
    expect([listSteps("plan").length, listSteps("publish").length]).toEqual([2, 4]);
    await using service = await startService({ mutationDelayMs: 0 });
    const { host, origin } = new URL(service.url);
    using remote = makeTemporaryFolder();
    using repository = makePackWorkspace(2, {
      root: { ".gitignore": "node_modules\n.packsmith\n.config\n.cache\n.local\n" },
      packageJson: (name) => `{ "name": "${name}" }\n`,
    });
    const env = {
      PACKSMITH_REGISTRY: origin,
      PACKSMITH_REGISTRY_TOKEN: service.token,
      PACKSMITH_KEY_STORE: "file",
    };
    const succeed = async (line: string) =>
      expect(await runNextTo(line, repository.path, env), line).toMatchObject({ code: 0 });
    for (const name of repository.names)
      repository.write(`packs/${name}/packsmith.config.json`, '{ "description": "Greets." }\n');
    await succeed('packsmith create "packs/*/pack.ts"');
    await succeed(
      `git init -q -b main && git config user.name Ada && git config user.email ada@tasks.example && git add . && git commit -qm First && git init -q --bare ${remote.path} && git remote add origin ${remote.path}`,
    );
    for (const line of [...listSteps("plan"), ...listSteps("publish"), ...listSteps("publish")])
      await succeed(line);
    for (const id of [1001, 1002]) {
      const answer = await fetch(`${service.url}/packs/${id}/releases`, {
        headers: { authorization: `Bearer ${service.token}` },
      });
      expect(((await answer.json()) as { items: unknown[] }).items, host).toHaveLength(1);
    }
    const { output } = await runNextTo(`git ls-remote --tags ${remote.path}`, repository.path, env);
    expect(output.match(/refs\/tags\/pack\/100\d\/v/g)?.length).toBeGreaterThanOrEqual(2);
  }, 240_000);

  it("make builds what changed, and then finds nothing to do", () => {
    using repository = makeRepository();
    const make = (target = "all") => run(`make ${target}`, repository.path);
    const bundle = (name: string) => join(repository.path, "build", name, "bundle.js");
    expect(make()).toMatchObject({ status: 0 });
    expect(repository.names.every((name) => existsSync(bundle(name)))).toBe(true);
    expect(make().stdout).toContain("Nothing to be done");

    const before = repository.names.map((name) => readFileSync(bundle(name), "utf8"));
    repository.write(
      "packs/pack-02/lib.ts",
      'export const greet = (name: string): string => name + "!";\n',
    );
    expect(make()).toMatchObject({ status: 0 });
    const changed = repository.names.filter(
      (name, index) => readFileSync(bundle(name), "utf8") !== before[index],
    );
    expect(changed).toEqual(["pack-02"]);
    expect(make().stdout).toContain("Nothing to be done");

    expect(make("check")).toMatchObject({ status: 0 });
    expect(make("clean")).toMatchObject({ status: 0 });
    expect(existsSync(join(repository.path, "build"))).toBe(false);
  });

  it("builds again what was deleted, from the cache or without it, with the same bytes", () => {
    using repository = makeRepository();
    const build = () => {
      rmSync(join(repository.path, "build"), { recursive: true, force: true });
      expect(run("packsmith build packs/*/pack.ts", repository.path)).toMatchObject({ status: 0 });
      return repository.names.map((name) =>
        readFileSync(join(repository.path, "build", name, "build.json"), "utf8"),
      );
    };
    const first = build();
    expect(build()).toEqual(first);
    rmSync(join(repository.path, ".cache/packsmith"), { recursive: true });
    expect(build()).toEqual(first);
  });
});
