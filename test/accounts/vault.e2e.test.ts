import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { accountKey, makeAccount, makeTokenSet } from "../support/accounts.ts";
import { isLong } from "../support/breadth.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

it("eight processes that create one vault at once all save their account in it", async () => {
  const script = fileURLToPath(new URL("fixtures/create-vault.js", import.meta.url));
  using folder = makeTemporaryFolder();
  const names = Array.from({ length: 8 }, (_, index) => `account-${index}`);
  const children = names.map((name) => {
    const account = makeAccount({ key: { ...accountKey, name } });
    const input = JSON.stringify({ directory: folder.path, account });
    const child = spawn(process.execPath, [script, input], { stdio: ["pipe", "pipe", "pipe"] });
    let errors = "";
    child.stderr.on("data", (part) => {
      errors += String(part);
    });
    const ended = once(child, "close").then(([code]) => ({ code, errors }));
    return { child, ended, ready: once(child.stdout, "data") };
  });
  await Promise.all(children.map(({ ready }) => ready));
  for (const { child } of children) child.stdin.end();
  expect(await Promise.all(children.map(({ ended }) => ended))).toEqual(
    names.map(() => ({ code: 0, errors: "" })),
  );
  await using vault = await openVault({ directory: folder.path });
  expect((await vault.list()).map(({ name }) => name).sort()).toEqual(names);
}, 60_000);

// docs/rules.md: rule 26
it.runIf(isLong)(
  "a vault is complete after kill -9 at every write, from the first one of a new vault on",
  async () => {
    const script = fileURLToPath(new URL("fixtures/save-account.js", import.meta.url));
    const states: string[] = [];
    for (let killAt = 0; ; killAt++) {
      using folder = makeTemporaryFolder();
      const input = JSON.stringify({ directory: folder.path, account: makeAccount(), killAt });
      const { signal } = spawnSync(process.execPath, [script, input], { timeout: 120_000 });
      await using vault = await openVault({ directory: folder.path });
      const account = await vault.get(accountKey);
      states.push(account?.status ?? "none");
      if (account !== undefined) expect(account.tokenSet).toEqual(makeTokenSet());
      // The next process writes as if nothing had happened.
      await vault.save(makeAccount());
      expect(await vault.list()).toHaveLength(1);
      if (signal === null) break;
      expect(signal).toBe("SIGKILL");
    }
    const expected = [
      "none",
      "none",
      "none",
      "none",
      "none",
      "connected",
      "connected",
      "connected",
      "reconnect",
    ];
    // Each write is whole or absent: what was there before it, twice, and what it wrote.
    expect(states).toEqual([
      ...expected,
      "reconnect",
      "reconnect",
      "connected",
      "connected",
      "connected",
      "none",
      "none",
    ]);
  },
);
