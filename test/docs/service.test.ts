import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startService } from "../../src/service/local/service.ts";
import type { Seed } from "../../src/testing.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(new URL("../../docs/service.md", import.meta.url), "utf8");

it("docs/service.md lists each operation and each decision with the tests that there are now", async () => {
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [".ci/generate-service-docs.mjs", "--check"],
      { cwd: root },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
  expect(output).toBe("");
  const [, decisions = ""] = page.split("<!-- decisions: generated -->");
  const rows = [...decisions.matchAll(/^\| (?!Behaviour|---)(.*) \| (.*) \|$/gm)];
  expect(rows).toHaveLength(114);
  // The tests of the client's own behaviour are in the client's folder; every other one has a link.
  const withoutLink = rows
    .filter(([, , tests = ""]) => !tests.startsWith("["))
    .map(([, text]) => text);
  expect(withoutLink).toEqual([
    "The client does not send this header. It waits for its own edit instead",
  ]);
});

it("the seed of docs/service.md can be served", async () => {
  const seed = JSON.parse(/^```json\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? "") as Seed;
  await using service = await startService({ seed });
  expect(service.docId).toBe("plans");
});

it("docs/service.md names each path of the control plane", () => {
  const source = readFileSync(
    new URL("../../src/service/local/control/control-plane.ts", import.meta.url),
    "utf8",
  );
  const paths = [...source.matchAll(/router\.(get|post)\("\/([a-z/-]+)"/g)].map(
    ([, method, path]) => `${method?.toUpperCase()} ${path}`,
  );
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !page.includes(`\`${path}\``))).toEqual([]);
});
