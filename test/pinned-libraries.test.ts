import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

// docs/rules.md: rule 45
it("the libraries that speak OAuth are pinned exactly, and the lock file names the same versions", () => {
  const { dependencies } = JSON.parse(read("package.json")) as {
    dependencies: Record<string, string>;
  };
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { version?: string }>;
  };
  for (const name of ["openid-client", "@badgateway/oauth2-client", "pg", "libsql"]) {
    expect(dependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
    expect(packages[`node_modules/${name}`]?.version).toBe(dependencies[name]);
  }
});

// docs/rules.md: rule 33
it("the documentation says that a client secret which is shipped is not confidential", () => {
  expect(read("docs/oauth.md")).toMatch(/client secret .*is not confidential.* \(RFC 8252 §8\.5\)/);
});
