/** A module of this package that other programs import, by the name of its file. */
export type OwnEntry =
  | "index"
  | "legacy"
  | "testing"
  | "legacy-testing"
  | "service"
  | "node"
  | "vitest";

interface OwnModule {
  /** The file of the code in `dist`, without extension. */
  code: OwnEntry;
  /** The file of the types in `dist`, without extension. */
  types: string;
}

/** The packages whose modules this package provides. */
export const OWN_PACKAGES = ["packsmith", "@codahq/packs-sdk"] as const;

/**
 * Every name that an author can import, and the code and types that it resolves to: in the bundle,
 * in tests, and for type checkers. Of
 * several patterns that match a name, the longest counts.
 */
export const IMPORT_NAMES: Readonly<Record<string, OwnModule>> = {
  packsmith: { code: "index", types: "index" },
  "packsmith/testing": { code: "testing", types: "testing" },
  "packsmith/service": { code: "service", types: "service" },
  "packsmith/node": { code: "node", types: "node" },
  "packsmith/vitest": { code: "vitest", types: "vitest" },
  "@codahq/packs-sdk": { code: "legacy", types: "legacy-types" },
  "@codahq/packs-sdk/*": { code: "legacy", types: "legacy-types" },
  "@codahq/packs-sdk/dist/*": { code: "legacy", types: "legacy-types" },
  "@codahq/packs-sdk/dist/development": { code: "legacy-testing", types: "legacy-types/testing" },
  "@codahq/packs-sdk/dist/testing/*": { code: "legacy-testing", types: "legacy-types/testing" },
};

/** @returns undefined for a module of another package */
export function findOwnModule(specifier: string): OwnModule | undefined {
  const name = specifier.replace(/\.js$/, "");
  const [pattern] = Object.keys(IMPORT_NAMES)
    .filter(
      (each) =>
        each === name ||
        (each.endsWith("*") && name.startsWith(each.slice(0, -1)) && name.length >= each.length),
    )
    .sort((one, other) => other.length - one.length);
  return pattern === undefined ? undefined : IMPORT_NAMES[pattern];
}

/**
 * The `paths` of a tsconfig.json with which TypeScript finds the types of this package.
 * @param dist the folder of the built files
 */
export function typingPaths(
  packageName: (typeof OWN_PACKAGES)[number],
  dist: string,
): Record<string, string[]> {
  const names = Object.entries(IMPORT_NAMES).filter(
    ([name]) => name === packageName || name.startsWith(`${packageName}/`),
  );
  return Object.fromEntries(names.map(([name, { types }]) => [name, [`${dist}/${types}.d.ts`]]));
}
