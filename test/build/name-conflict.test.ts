import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nameConflict, outputConflict } from "../../src/build/name-conflict.ts";
import { makeProject } from "../support/project.ts";

const named = (name: string): string => JSON.stringify({ name });

describe("the error for Packs of one name", () => {
  const describeConflict = (files: Readonly<Record<string, string>>, entries: string[]) => {
    using project = makeProject(files);
    const [first = "", ...others] = entries.map((entry) => join(project.path, entry));
    const paths = [first, ...others] as const;
    const { message, hint, details } = nameConflict("same", paths);
    expect(details).toEqual({ name: "same", files: paths });
    return [message, hint].map((text) => text?.replaceAll(project.path, "."));
  };

  it("names the package.json that gives the name", () => {
    const files = { "a/package.json": named("same"), "b/package.json": named("same") };
    expect(describeConflict(files, ["a/pack.ts", "b/src/pack.ts"])).toMatchInlineSnapshot(`
      [
        "./a/pack.ts and ./b/src/pack.ts have the same name "same", so one output would overwrite the other.",
        "Change the name in ./a/package.json.",
      ]
    `);
  });

  it("does not speak of a package.json as if it existed", () => {
    expect(describeConflict({}, ["a/same/pack.ts", "b/same/index.ts"])).toMatchInlineSnapshot(`
      [
        "./a/same/pack.ts and ./b/same/index.ts have the same name "same", so one output would overwrite the other.",
        "Rename the folder ./a/same, or set "name" in a package.json or .coda-pack.json in this folder.",
      ]
    `);
  });

  it("says to rename a file when its name counts, or its folder has both Packs", () => {
    expect(describeConflict({}, ["same/pack.ts", "same/src/pack.ts"])[1]).toMatchInlineSnapshot(
      `"Rename the file ./same/pack.ts."`,
    );
    expect(
      describeConflict({ "same/package.json": named("same") }, [
        "same/pack.ts",
        "same/index.ts",
      ])[1],
    ).toMatchInlineSnapshot(`"Rename the file ./same/pack.ts."`);
    expect(describeConflict({}, ["same.ts", "same.tsx"])).toMatchInlineSnapshot(`
      [
        "./same.ts and ./same.tsx have the same name "same", so one output would overwrite the other.",
        "Rename the file ./same.ts.",
      ]
    `);
  });

  it("lists all Packs, and counts those of a long list", () => {
    const entries = ["a", "b", "c", "d", "e", "f", "g"].map((name) => `${name}/same.ts`);
    expect(describeConflict({}, entries.slice(0, 3))[0]).toMatchInlineSnapshot(
      `"./a/same.ts, ./b/same.ts and ./c/same.ts have the same name "same", so one output would overwrite the others."`,
    );
    expect(describeConflict({}, entries.slice(0, 5))[0]).toMatchInlineSnapshot(
      `"./a/same.ts, ./b/same.ts, ./c/same.ts, ./d/same.ts and ./e/same.ts have the same name "same", so one output would overwrite the others."`,
    );
    expect(describeConflict({}, entries)[0]).toMatchInlineSnapshot(
      `"./a/same.ts, ./b/same.ts, ./c/same.ts, ./d/same.ts and 3 other Packs have the same name "same", so one output would overwrite the others."`,
    );
  });
});

describe("the error for a folder with the build of another Pack", () => {
  const describeConflict = (files: Readonly<Record<string, string>>, entries: [string, string]) => {
    using project = makeProject(files);
    const [entry, other] = entries.map((each) => join(project.path, each)) as [string, string];
    const { message, hint, details } = outputConflict(join(project.path, "build/tasks"), {
      name: "tasks",
      entry,
      other,
    });
    expect(details).toEqual({ name: "tasks", files: [entry, other] });
    return [message, hint].map((text) => text?.replaceAll(project.path, "."));
  };

  it("says that one command builds both when they then have different names", () => {
    expect(describeConflict({}, ["y/tasks/pack.ts", "x/tasks/pack.ts"])).toMatchInlineSnapshot(`
      [
        "./y/tasks/pack.ts and ./x/tasks/pack.ts have the same name "tasks", and ./build/tasks contains the build of ./x/tasks/pack.ts.",
        "Rename the folder ./y/tasks, or set "name" in a package.json or .coda-pack.json in this folder. You can also build both Packs in one command, which names them x-tasks and y-tasks, or choose another folder with --out-dir.",
      ]
    `);
  });

  it("does not say so when one command refuses them", () => {
    const files = { "a/package.json": named("tasks"), "b/package.json": named("tasks") };
    expect(describeConflict(files, ["a/pack.ts", "b/pack.ts"])).toMatchInlineSnapshot(`
      [
        "./a/pack.ts and ./b/pack.ts have the same name "tasks", and ./build/tasks contains the build of ./b/pack.ts.",
        "Change the name in ./a/package.json. You can also choose another folder with --out-dir.",
      ]
    `);
  });
});
