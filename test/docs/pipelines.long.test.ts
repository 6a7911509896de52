import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { startService } from "../../src/service/packs/start-service.ts";
import { makePackWorkspace } from "../support/pack-workspace.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { checkPublishing, runNextTo } from "./publish-pipeline.ts";

describe("other pipelines that publish", () => {
  checkPublishing("publish-gitlab.yml");

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
});
