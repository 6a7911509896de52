import { describe, expect, it } from "vitest";
import { findInstalledPackage, isInPackage } from "../../src/shared/installed-packages.ts";

const FILES = [
  ["/a/node_modules/one/index.js", "/a/node_modules/one", "one"],
  ["/a/node_modules/@scope/one/lib/index.js", "/a/node_modules/@scope/one", "@scope/one"],
  ["/a/node_modules/one/node_modules/two/x.js", "/a/node_modules/one/node_modules/two", "two"],
  [
    "/a/node_modules/.pnpm/one@1.0.0/node_modules/one/x.js",
    "/a/node_modules/.pnpm/one@1.0.0/node_modules/one",
    "one",
  ],
  ["node_modules/one/index.js", "node_modules/one", "one"],
  ["../node_modules/one", "../node_modules/one", "one"],
  ["C:\\a\\node_modules\\@scope\\one\\index.js", "C:\\a\\node_modules\\@scope\\one", "@scope/one"],
] as const;

describe("a path in an installed package", () => {
  it.each(FILES)("%s belongs to the innermost package", (path, folder, name) => {
    expect(findInstalledPackage(path)).toEqual({ folder, name });
    expect(isInPackage(path)).toBe(true);
  });

  it.each(["/a/src/index.ts", "/a/node_modules.ts", "/my_node_modules/one/index.js", "pack.ts"])(
    "%s belongs to none",
    (path) => {
      expect(findInstalledPackage(path)).toBeUndefined();
      expect(isInPackage(path)).toBe(false);
    },
  );

  it("the folder node_modules itself is no package, but no part of the project either", () => {
    expect(isInPackage("/a/node_modules")).toBe(true);
    expect(findInstalledPackage("/a/node_modules")).toBeUndefined();
  });
});
