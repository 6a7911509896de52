import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openFirstAccount } from "../../../src/testing/legacy/first-account.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

/** Opens accounts of a folder in which one file has a connected account. */
async function findAccount(manifestPath: string, connected: string) {
  using folder = makeTemporaryFolder();
  for (const name of ["pack.ts", "manifest.ts", "helpers.ts"])
    writeFileSync(join(folder.path, name), "");
  const closed: string[] = [];
  const opened = await openFirstAccount(join(folder.path, manifestPath), async (file) => ({
    file,
    account: file === join(folder.path, connected) ? ({} as never) : undefined,
    systemAccount: undefined,
    [Symbol.asyncDispose]: async () => void closed.push(file),
  }));
  return { file: opened.file.slice(folder.path.length + 1), closed: closed.length };
}

it.each([
  ["pack.ts", "pack.ts", 0],
  ["pack", "pack.ts", 0],
  ["manifest.ts", "manifest.ts", 0],
  ["manifest.ts", "pack.ts", 1],
  ["helpers.ts", "manifest.ts", 2],
])("manifestPath %s finds the account of %s and closes the others", async (path, file, closed) => {
  expect(await findAccount(path, file)).toEqual({ file, closed });
});

it("manifestPath of a folder without an account opens the last entry, which has none", async () => {
  expect(await findAccount("pack.ts", "nothing")).toEqual({ file: "manifest.ts", closed: 1 });
});
