import { once } from "node:events";
import { expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { loadBundled } from "../../src/load/load-pack.ts";
import { startSandboxWorker } from "../../src/sandbox/host/sandbox-worker.ts";
import { createProject } from "../bundle/project.ts";

it("a bundle that cannot be finished leaves no sandbox behind", async () => {
  await using project = await createProject({ "pack.ts": `import { newPack } from "packsmith";\nexport const pack = newPack();\n` });
  const made = await bundlePack({ entry: "pack.ts", cwd: project.directory });
  const sandbox = startSandboxWorker();
  const ended = once(sandbox.worker, "exit");
  const finish = (): never => {
    throw new Error("A file is gone.");
  };
  const loading = loadBundled({ ...made, finish }, { file: "pack.ts", cwd: project.directory, worker: sandbox });
  await expect(loading).rejects.toThrow("A file is gone.");
  await ended;
});
