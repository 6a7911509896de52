import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { executeFormula } from "../../src/commands/test-formula.ts";

const cwd = fileURLToPath(new URL("../../examples", import.meta.url));

it("a formula that needs an account says so when the test gives none, and makes no vault in the shared temporary folder", async () => {
  const run = executeFormula("tasks/pack.ts", "ListTasks", ["doc"], { cwd });
  await expect(run).rejects.toMatchObject({ code: "ACCOUNT_MISSING" });
  expect(existsSync(join(tmpdir(), "vault.key"))).toBe(false);
});
