import { once } from "node:events";
import { expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { openBundle } from "../../src/execute/open-pack.ts";
import { startSandboxProcess } from "../../src/sandbox/host/sandbox-process.ts";
import { createProject } from "../bundle/project.ts";
import { startEachSandbox } from "../support/shared-sandboxes.ts";

startEachSandbox();

it("a bundle that loads but cannot be checked leaves no sandbox behind", async () => {
  await using project = await createProject({
    "pack.ts": `import { newPack } from "packsmith";\nexport const pack = newPack();\n`,
  });
  const bundle = await bundlePack({ entry: "pack.ts", cwd: project.directory });
  const sandbox = startSandboxProcess();
  const ended = once(sandbox.child, "exit");
  const broken = {
    ...bundle,
    get issues(): never {
      throw new Error("A file is gone.");
    },
  };
  const loading = openBundle(broken, { file: "pack.ts", cwd: project.directory, process: sandbox });
  await expect(loading).rejects.toThrow("A file is gone.");
  await ended;
});
