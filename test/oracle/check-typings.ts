import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { typingPaths } from "../../src/bundle/import-names.ts";
import { builtFile } from "../../src/shared/own-package.ts";
import { type CompilerVersion, typeCheck } from "../compatibility/type-check.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { hasPublishedPackage, publishedModules } from "./published-package.ts";
import { ACCEPTED, REFUSED } from "./typed-packs.ts";

const START = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
const published = join(publishedModules, "@codahq/packs-sdk/dist");
export const PATHS = {
  "the published types": {
    "@codahq/packs-sdk": [`${published}/index.d.ts`],
    "@codahq/packs-sdk/dist/*": [`${published}/*`],
  },
  "our types": typingPaths("@codahq/packs-sdk", builtFile(".")),
};

/** The names of the Packs in which the compiler finds an error. */
async function refusedBy(
  types: keyof typeof PATHS,
  version: CompilerVersion,
  strict: boolean,
): Promise<string[]> {
  using folder = makeTemporaryFolder();
  const packs = { ...ACCEPTED, ...REFUSED };
  const names = Object.keys(packs);
  mkdirSync(join(folder.path, "packs"));
  for (const [index, name] of names.entries())
    writeFileSync(join(folder.path, `packs/${index}.ts`), `${START}${packs[name]}\n`);
  const modules =
    version === "7"
      ? { module: "ESNext", moduleResolution: "bundler" }
      : { module: "CommonJS", moduleResolution: "node" };
  const compilerOptions = {
    ...modules,
    strict,
    target: "ES2020",
    lib: ["ES2020", "DOM"],
    types: [],
    noEmit: true,
    skipLibCheck: true,
  };
  writeFileSync(
    join(folder.path, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { ...compilerOptions, paths: PATHS[types] },
      include: ["packs"],
    }),
  );
  const output = await typeCheck(folder.path, version);
  const found = new Set(
    [...output.matchAll(/^packs[\\/](\d+)\.ts/gm)].map(([, index]) => names[Number(index)] ?? ""),
  );
  if (found.size === 0) throw new Error(output);
  return names.filter((name) => found.has(name));
}

/** Compares the types with those of the published package. */
export function checkTypings(versions: readonly CompilerVersion[]): void {
  describe("the typings of `@codahq/packs-sdk`", () => {
    it.each(versions)("accept and refuse what they should under TypeScript %s", async (version) => {
      expect(await refusedBy("our types", version, true)).toEqual(Object.keys(REFUSED));
    });

    // TypeScript 4.9 cannot read the published types.
    it.skipIf(!hasPublishedPackage).each(versions.filter((version) => version !== "4.9"))(
      "accept and refuse what the published types do under TypeScript %s",
      async (version) => {
        expect(await refusedBy("the published types", version, true)).toEqual(Object.keys(REFUSED));
        expect(await refusedBy("our types", version, false)).toEqual(
          await refusedBy("the published types", version, false),
        );
      },
    );
  });
}
