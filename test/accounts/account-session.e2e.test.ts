import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { accountKey } from "../support/accounts.ts";
import { rotating, setUp, stored } from "./session-under-test.ts";

const script = fileURLToPath(new URL("fixtures/use-account.js", import.meta.url));

async function runChild(input: object): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(input)]);
  return stdout;
}

describe("the session of an account", () => {
  // docs/rules.md: rule 26, 28
  it("makes one token request from two processes that use the same expired account", async () => {
    await using run = await setUp(rotating());
    const input = {
      directory: run.folder.path,
      key: accountKey,
      definition: run.definition,
      calls: 20,
    };
    const outputs = await Promise.all([runChild(input), runChild(input)]);
    expect(outputs).toEqual(['["renewed-1"]\n', '["renewed-1"]\n']);
    expect(run.server.requests).toHaveLength(1);
    expect(await stored(run.vault)).toMatchObject({ access: "renewed-1", refresh: "rotated-1" });
  });

  // docs/rules.md: rule 28
  it("takes over the response of a process that was killed before it stored the tokens", async () => {
    await using run = await setUp(rotating());
    const input = {
      directory: run.folder.path,
      key: accountKey,
      definition: run.definition,
      crashAt: "saveTokens",
    };
    await expect(runChild(input)).rejects.toMatchObject({ signal: "SIGKILL" });
    expect(await stored(run.vault)).toMatchObject({
      access: "planted-access",
      refresh: "planted-refresh",
    });

    // The lease of the dead process has run out on this clock.
    const later = () => Date.now() + 20_000;
    await using vault = await openVault({ directory: run.folder.path, now: later });
    const session = await run.open({ vault, now: later });
    expect(await session.getAccessToken()).toBe("renewed-1");
    expect(run.server.requests).toHaveLength(1);
    expect(await stored(run.vault)).toMatchObject({ access: "renewed-1", refresh: "rotated-1" });
    expect(await run.vault.getPendingTokens(accountKey)).toBeUndefined();
  });
});
