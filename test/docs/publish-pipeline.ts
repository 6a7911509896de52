import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { startService } from "../../src/service/packs/start-service.ts";
import { makePackWorkspace } from "../support/pack-workspace.ts";

const docs = new URL("../../docs/", import.meta.url);

/** Reads a file of `docs/pipelines/`. */
export const readExample = (name: string): string =>
  readFileSync(new URL(`pipelines/${name}`, docs), "utf8");

/** Every text in a document. */
export function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** Runs a command while this process serves. */
export function runNextTo(
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

/** Runs the commands of a pipeline that publishes, each of them twice. */
export function checkPublishing(name: string): void {
  it(`${name}: the plan changes nothing, and the merge publishes, also when it is repeated`, async () => {
    const jobs = parse(readExample(name)) as Record<string, unknown>;
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
  }, 240_000);
}
