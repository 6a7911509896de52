import { join } from "node:path";
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

/** Entries of another version of `alpha`, which another package needs, and of who needs this one. */
const SECOND: Record<LockName, [before: string, after: string]> = {
  "package-lock.json": [
    '"packages": {',
    '"packages": { "node_modules/user/node_modules/alpha": { "version": "0.9.0" },',
  ],
  "pnpm-lock.yaml": [
    "  alpha@1.0.0:",
    "  alpha@0.9.0:\n    resolution: {integrity: sha512-old}\n\n  alpha@1.0.0:",
  ],
  "yarn.lock": [
    "alpha@^1.0.0:\n  version",
    'alpha@^0.9.0:\n  version "0.9.0"\n  integrity sha512-old\n\nalpha@1.x, alpha@^1.0.0:\n  version',
  ],
  "bun.lock": [
    '"packages": {',
    '"packages": { "user/alpha": ["alpha@0.9.0", "", {}, "sha512-old"],',
  ],
};

function readEntry(file: LockName, text: string, name = "alpha"): string {
  using project = makeProject({
    [file]: text,
    [`node_modules/${name}/package.json`]: '{ "version": "1.0.0" }',
  });
  return createAnswers(createDisk())(
    "lock",
    join(project.path, "node_modules", name),
    project.path,
  );
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

  it.each(names)("%s: another version does not change it, nor does who needs it", (file) => {
    const [before, after] = SECOND[file];
    const text = LOCKS[file];
    const at = text.lastIndexOf(before);
    expect(at).toBeGreaterThan(0);
    const more = text.slice(0, at) + after + text.slice(at + before.length);
    expect(readEntry(file, more)).toBe(readEntry(file, text));
  });

  it("package-lock.json: what the package is needed for does not change it", () => {
    const text = LOCKS["package-lock.json"];
    const marked = text.replace('"sha512-one"', '"sha512-one", "dev": true, "peer": true');
    expect(marked).not.toBe(text);
    expect(readEntry("package-lock.json", marked)).toBe(readEntry("package-lock.json", text));
  });

  it("is known in lock files of pnpm 8, and of Yarn 4 with another name in the project", () => {
    const pnpm = "packages:\n\n  /alpha@1.0.0:\n    resolution: {integrity: sha512-one}\n";
    expect(readEntry("pnpm-lock.yaml", pnpm)).not.toBe("");
    expect(readEntry("yarn.lock", '"mine@npm:alpha@1.0.0":\n  checksum: 1\n')).not.toBe("");
  });
});
