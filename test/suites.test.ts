import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** What only the e2e suite has: the build, and the programs that use it. */
const BUILT = [
  /support\/(?:child-vitest|cli|dev-browser|long-cli|loopback-registry|shell-page)\.ts"/,
  /(?:\.\.\/|[^\w/]")dist\/(?:accounts|bin|cli|define|execute|oauth|sandbox|service|storage)\//,
];

// What a unit test may do is enforced when it runs: test/support/suites/unit.ts.
it("no integration test uses the built command", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".integration.test.ts"),
  );
  expect(files.length).toBeGreaterThan(100);
  const wrong = files.filter((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return BUILT.some((pattern) => pattern.test(text));
  });
  expect(wrong).toEqual([]);
});
