// What suites for jest import of this package, as one CommonJS file: jest loads every module itself,
// for each file of tests, and cannot `require` an ES module. The Pack, its suite and this code so
// share the classes of one realm.
import * as index from "../../index.ts";
import * as legacy from "../../legacy.ts";
import * as legacyTesting from "../../legacy-testing.ts";
import { loadOutside } from "./outside.ts";

/** By the name of the entry. Suites may replace members, so these are plain objects. */
export const modules: Readonly<Record<string, object>> = {
  index: asCommonJs(index),
  legacy: asCommonJs(legacy),
  "legacy-testing": asCommonJs(legacyTesting),
};

/** Entries without parts in the realm of the suite: they come from Node. */
export const load: typeof loadOutside = loadOutside;

function asCommonJs(names: object): object {
  return Object.defineProperty({ ...names }, "__esModule", { value: true });
}
