import { expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { openBuiltBundle } from "../../src/execute/open-pack.ts";
import { createProject } from "../bundle/project.ts";

it("a built bundle opens with what is an error only in new sources, and reports it as a warning", async () => {
  await using project = await createProject({
    "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack();
pack.addFormula({
  name: "Greet",
  description: "Greets.",
  resultType: "string",
  parameters: [],
  cacheTtlSec: 1,
  execute: () => "Hello",
} as never);
`,
  });
  const bundle = await bundlePack({ entry: "pack.ts", cwd: project.directory });
  await using pack = await openBuiltBundle(bundle, "Pack 1001");
  expect(pack.issues).toMatchObject([
    { code: "KEY_UNKNOWN", severity: "warning", path: "formulas[0].cacheTtlSec" },
  ]);
});
