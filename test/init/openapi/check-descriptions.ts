import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isPackError } from "../../../src/errors.ts";
import { scaffoldPack } from "../../../src/init/openapi/scaffold.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { descriptions } from "./descriptions.ts";
import { checkGenerated, prepareFolder, writeGenerated } from "./generated-packs.ts";

/**
 * Checks what random descriptions give.
 * @param runs the number of descriptions
 * @param runTests the number of Packs whose tests are run
 */
export function checkDescriptions(runs: number, runTests: number): void {
  it("every description gives a Pack that has no problem, is formatted, type-checks and passes its test, or says why not", {
    timeout: 240_000,
  }, async () => {
    using folder = makeTemporaryFolder();
    await prepareFolder(folder.path);
    const folders: string[] = [];
    let tables = 0;
    await fc.assert(
      fc.asyncProperty(descriptions, async (description) => {
        const source = join(folder.path, "openapi.json");
        await writeFile(source, JSON.stringify(description));
        const scaffold = await scaffoldPack(source, folder.path).catch((error: unknown) => {
          if (
            isPackError(error, "DESCRIPTION_UNREADABLE") ||
            isPackError(error, "DESCRIPTION_REFERENCE")
          )
            return undefined;
          throw error;
        });
        if (scaffold === undefined) return;
        const name = `pack${folders.length}`;
        folders.push(name);
        tables += scaffold.tables;
        await writeGenerated(folder.path, name, scaffold);
      }),
      { numRuns: runs },
    );
    expect(folders.length).toBeGreaterThan(runs / 2);
    expect(tables).toBeGreaterThan(runs / 4);
    await checkGenerated(folder.path, folders, folders.slice(0, runTests));
  });
}
