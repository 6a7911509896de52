import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { startService } from "../../src/testing.ts";
import { chooseCases } from "../support/breadth.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const fences = listFences(await readFile(join(root, "docs/client.md"), "utf8"));

describe("the examples of the client", () => {
  it.each(chooseCases(fences, 4))("run against a local service: $title", async ({ code }) => {
    using folder = makeTemporaryFolder();
    await using service = await startService({ mutationDelayMs: 0 });
    // An emulated fetcher stands for the host itself.
    const source = code
      .replaceAll(
        "https://docs.example/apis/v1",
        code.includes("emulatorFetcher") ? "https://docs.example/apis/v1" : service.url,
      )
      .replaceAll('token: "…"', `token: ${JSON.stringify(service.token)}`);
    await writeFile(join(folder.path, "fence.ts"), source);
    await build({
      entryPoints: [join(folder.path, "fence.ts")],
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      outfile: join(folder.path, "fence.mjs"),
      external: ["/*"],
      plugins: [
        {
          name: "own",
          setup: (own) =>
            own.onResolve({ filter: /^packsmith/ }, ({ path }) => ({
              path: join(root, "dist", `${path.split("/")[1] ?? "index"}.js`),
              external: true,
            })),
        },
      ],
    });
    const { stderr } = await run(process.execPath, [join(folder.path, "fence.mjs")], {
      env: { ...process.env, DOCS_TOKEN: service.token },
      timeout: 120_000,
    });
    expect(stderr).toBe("");
  });
});

/** The TypeScript of a page, each under the heading that it stands under. */
function listFences(page: string): { title: string; code: string }[] {
  const found: { title: string; code: string }[] = [];
  let title = "";
  for (const [, heading, code] of page.matchAll(/^## (.*)$|^```ts\n([\s\S]*?)^```$/gm)) {
    if (code === undefined) title = heading ?? "";
    else found.push({ title, code });
  }
  return found;
}
