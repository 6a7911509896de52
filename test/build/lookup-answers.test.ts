import { describe, expect, it } from "vitest";
import { createDisk } from "../../src/build/disk.ts";
import { createAnswers } from "../../src/build/lookup-answers.ts";
import { makeProject } from "../support/project.ts";

/** Lock files with the packages `alpha` and `@org/alpha`. */
const LOCKS = {
  "package-lock.json": `{
  "packages": {
    "node_modules/alpha": { "version": "1.0.0", "integrity": "sha512-one" },
    "node_modules/@org/alpha": { "version": "1.0.0", "integrity": "sha512-org" }
  }
}
`,
  "pnpm-lock.yaml": `lockfileVersion: '9.0'

packages:

  '@org/alpha@1.0.0':
    resolution: {integrity: sha512-org}

  alpha@1.0.0:
    resolution: {integrity: sha512-one}
`,
  "yarn.lock": `# yarn lockfile v1

"@org/alpha@^1.0.0":
  version "1.0.0"
  integrity sha512-org

alpha@^1.0.0:
  version "1.0.0"
  integrity sha512-one
`,
  "bun.lock": `{
  "lockfileVersion": 1,
  "packages": {
    "@org/alpha": ["@org/alpha@1.0.0", "", {}, "sha512-org"],

    "alpha": ["alpha@1.0.0", "", {}, "sha512-one"],
  }
}
`,
};
/** Entries of packages whose names contain the name of the other, or that need it. */
const OTHERS: Record<keyof typeof LOCKS, [before: string, added: string]> = {
  "package-lock.json": [
    '"packages": {',
    '"node_modules/not-alpha": {}, "node_modules/@types/alpha": {},',
  ],
  "pnpm-lock.yaml": [
    "packages:\n",
    `
  '@types/alpha@1.0.0':
    resolution: {integrity: sha512-types}

  not-alpha@1.0.0:
    resolution: {integrity: sha512-not}

  user@1.0.0(alpha@1.0.0):
    resolution: {integrity: sha512-user}
`,
  ],
  "yarn.lock": [
    "v1\n",
    `
"@types/alpha@*":
  version "1.0.0"

not-alpha@^1.0.0:
  version "1.0.0"
`,
  ],
  "bun.lock": ['"packages": {', '"not-alpha": ["not-alpha@1.0.0", "", {}, "sha512-not"],'],
};
type LockName = keyof typeof LOCKS;
const names = Object.keys(LOCKS) as LockName[];

function readEntry(file: LockName, text: string, name = "alpha"): string {
  using project = makeProject({ [file]: text });
  return createAnswers(createDisk())("lock", name, project.path);
}

describe("the entry of a package in a lock file", () => {
  it.each(names)("%s: another version of the package changes the entry of no other", (file) => {
    const text = LOCKS[file];
    const changed = text.replace("sha512-one", "sha512-two");
    expect(readEntry(file, text)).not.toBe("");
    expect(readEntry(file, changed)).not.toBe(readEntry(file, text));
    expect(readEntry(file, changed, "@org/alpha")).toBe(readEntry(file, text, "@org/alpha"));
    expect(readEntry(file, text.replace("sha512-org", "sha512-two"))).toBe(readEntry(file, text));
  });

  it.each(names)("%s: a package with a similar name does not change it", (file) => {
    const [before, added] = OTHERS[file];
    const more = LOCKS[file].replace(before, before + added);
    expect(more).not.toBe(LOCKS[file]);
    expect(readEntry(file, more)).toBe(readEntry(file, LOCKS[file]));
  });

  it("is known in lock files of pnpm 8, and of Yarn 4 with another name in the project", () => {
    const pnpm = "packages:\n\n  /alpha@1.0.0:\n    resolution: {integrity: sha512-one}\n";
    expect(readEntry("pnpm-lock.yaml", pnpm)).not.toBe("");
    expect(readEntry("yarn.lock", '"mine@npm:alpha@1.0.0":\n  checksum: 1\n')).not.toBe("");
  });
});
