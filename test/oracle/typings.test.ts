import ts from "typescript-5.9";
import { describe, expect, it } from "vitest";
import { isLong } from "../support/breadth.ts";
import { checkTypings, PATHS } from "./check-typings.ts";
import { hasPublishedPackage } from "./published-package.ts";

checkTypings(["7"]);

describe("the typings of `@codahq/packs-sdk`", () => {
  it.runIf(isLong && hasPublishedPackage)(
    "export every name that the published types export",
    () => {
      const own = new Set(exportedNames("our types"));
      const theirs = exportedNames("the published types");
      expect(theirs.length).toBeGreaterThan(300);
      expect(theirs.filter((name) => !own.has(name))).toEqual([]);
    },
  );
});

function exportedNames(types: keyof typeof PATHS): string[] {
  const [file = ""] = PATHS[types]["@codahq/packs-sdk"] ?? [];
  const program = ts.createProgram([file], { noEmit: true, skipLibCheck: true, types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  return module === undefined ? [] : checker.getExportsOfModule(module).map(({ name }) => name);
}
