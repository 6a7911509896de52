import { describe, expect, it } from "vitest";
import { clonePack } from "../../../src/publish/registry/clone-pack.ts";
import { compareWithLive } from "../../../src/publish/registry/live-difference.ts";
import { publishRelease } from "../../../src/publish/registry/publish-release.ts";
import {
  findCurrentRelease,
  listVersions,
} from "../../../src/publish/registry/registry-versions.ts";
import { isLong } from "../../support/breadth.ts";
import { git, startGit } from "../registry/git.ts";
import { hello, packSource } from "../registry/registry.ts";
import { type StrictProject, startStrictProject } from "./strict-project.ts";

const VERSIONED = packSource(hello(), 'newPack({ version: "1.0.0" })');
const path = { packId: "4001" };

const publish = ({ cwd, client }: StrictProject, more: object = {}) =>
  publishRelease("pack.ts", { cwd, client, types: false, ...more });

/** The names of the requests, one after the other. */
const names = ({ registry }: StrictProject) => registry.requests.map(({ name }) => name);

describe("uploads and releases, at a registry that knows the public description only", () => {
  it("whoami returns the user of the token", async () => {
    await using project = await startStrictProject();
    expect(await project.client.whoami()).toMatchObject({ loginId: "ada@example.com" });
    expect(project.registry.mistakes).toEqual([]);
  });

  it("a Pack whose creation got no answer is found, not created twice", async () => {
    await using project = await startStrictProject();
    for (const name of ["One", "Two", "Three"])
      await project.client.call("createPack", { body: { name } });
    project.registry.answers.set("createPack", () => "after");
    await expect(project.create()).rejects.toMatchObject({ code: "REGISTRY_UNREACHABLE" });
    project.registry.answers.clear();
    expect(await project.create()).toMatchObject({ packId: 4_004, isFound: true });
    expect(project.registry.packs.size).toBe(4);
    const asked = project.registry.requests.find(({ name }) => name === "listPacks");
    expect(asked?.query.get("accessTypes")).toBe("edit,admin");
    expect(project.registry.mistakes).toEqual([]);
  });

  it.runIf(isLong)(
    "a Pack without a version in its source gets 1, then 2, by the registry's choice",
    async () => {
      await using project = await startStrictProject();
      await project.create();
      expect(await project.upload({ notes: "first" })).toBe("1");
      project.write("pack.ts", packSource(hello("Says hello.")));
      expect(await project.upload()).toBe("2");
      expect(names(project).slice(-5)).toEqual([
        "listVersions",
        "nextVersion",
        "register",
        "put",
        "uploadComplete",
      ]);
      expect(project.registry.mistakes).toEqual([]);
    },
  );

  it("an upload of the same source again sends nothing", async () => {
    await using project = await startStrictProject(VERSIONED);
    await project.create();
    await project.upload();
    const before = project.registry.requests.length;
    expect(await project.upload()).toBe("1.0.0");
    expect(names(project).slice(before)).toEqual(["listVersions"]);
  });

  it("a version that is not above every uploaded one is refused before it is sent", async () => {
    await using project = await startStrictProject(VERSIONED);
    await project.create();
    const pack = project.registry.packs.get(4_001);
    const uploaded = { buildNotes: "", sdkVersion: "1.0.0" };
    pack?.versions.push({ packVersion: "1.2", ...uploaded });
    await expect(project.upload()).rejects.toMatchObject({ code: "VERSION_OLDER" });
    expect(names(project)).not.toContain("register");
  });

  it("the refusal of an older SDK names the option that allows it", async () => {
    await using project = await startStrictProject(VERSIONED);
    await project.create();
    const pack = project.registry.packs.get(4_001);
    pack?.versions.push({ packVersion: "0.9", buildNotes: "", sdkVersion: "9.0.0" });
    await expect(project.upload()).rejects.toMatchObject({
      code: "REGISTRY_FAILED",
      hint: expect.stringContaining("--allow-older-sdk-version"),
    });
    expect(await project.upload({ allowOlderSdkVersion: true })).toBe("1.0.0");
    expect(project.registry.mistakes).toEqual([]);
  });

  it("the reason in the XML of the store is shown", async () => {
    await using project = await startStrictProject(VERSIONED);
    await project.create();
    project.registry.answers.set("put", () => ({
      status: 403,
      body: '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
    }));
    await expect(project.upload()).rejects.toMatchObject({
      code: "REGISTRY_FAILED",
      message: expect.stringContaining("Request has expired (AccessDenied)"),
    });
  });

  it("validation errors of the registry become issues of the author's code", async () => {
    await using project = await startStrictProject(VERSIONED);
    await project.create();
    const validationErrors = [{ path: "formulas[0].name", message: "The name is taken." }];
    project.registry.answers.set("uploadComplete", () => ({
      status: 400,
      body: { statusCode: 400, message: "Invalid", codaDetail: { validationErrors } },
    }));
    await expect(project.upload()).rejects.toMatchObject({
      code: "UPLOAD_REFUSED",
      message: expect.stringContaining("The name is taken."),
    });
  });

  it("a completion whose answer is lost is found in the list of versions", async () => {
    await using project = await startStrictProject(VERSIONED);
    await project.create();
    project.registry.answers.set("uploadComplete", () => "after");
    expect(await project.upload()).toBe("1.0.0");
    expect(project.registry.mistakes).toEqual([]);
  });

  it("a release has notes even if none are given, and is the highest of a list in any order", async () => {
    await using project = await startStrictProject(VERSIONED);
    startGit(project);
    await project.create();
    git(project.cwd, "add", ".");
    git(project.cwd, "commit", "--quiet", "-m", "Link");
    await publish(project, { changelog: false });
    for (const version of ["1.1.0", "1.2.0"]) {
      project.write("pack.ts", VERSIONED.replace("1.0.0", version).replace("Greets", version));
      git(project.cwd, "commit", "--quiet", "--all", "-m", version);
      await publish(project, { changelog: false });
    }
    const releases = project.registry.packs.get(4_001)?.releases ?? [];
    expect(releases.map(({ packVersion }) => packVersion)).toEqual(["1.0.0", "1.1.0", "1.2.0"]);
    for (const { releaseNotes } of releases) expect(releaseNotes).not.toBe("");
    expect(await findCurrentRelease(project.client, 4_001)).toMatchObject({ releaseId: 3 });
    expect(project.registry.mistakes).toEqual([]);
  });

  it.runIf(isLong)(
    "a version that was built from another source is not released by its number",
    async () => {
      await using project = await startStrictProject(VERSIONED);
      startGit(project);
      await project.create();
      await project.upload();
      project.write("pack.ts", VERSIONED.replace("Greets", "Shouts"));
      git(project.cwd, "add", ".");
      git(project.cwd, "commit", "--quiet", "-m", "Shout");
      await expect(publish(project, { version: "1.0.0" })).rejects.toMatchObject({
        code: "VERSION_EXISTS",
        hint: expect.stringContaining("packsmith"),
      });
      expect(project.registry.packs.get(4_001)?.releases).toEqual([]);
    },
  );

  it.runIf(isLong)(
    "diff --live asks for the difference of what users have and what is uploaded",
    async () => {
      await using project = await startStrictProject(VERSIONED);
      startGit(project);
      await project.create();
      git(project.cwd, "add", ".");
      git(project.cwd, "commit", "--quiet", "-m", "Link");
      await publish(project);
      project.write("pack.ts", VERSIONED.replace("1.0.0", "1.1.0"));
      await project.upload();
      const { cwd, client } = project;
      expect(await compareWithLive("pack.ts", { cwd, client })).toMatchObject({
        released: "1.0.0",
        newest: "1.1.0",
        uploaded: ["Formula Bye added."],
      });
      expect(project.registry.mistakes).toEqual([]);
    },
  );

  it("the list of versions follows its page tokens to the end", async () => {
    await using project = await startStrictProject();
    await project.create();
    const pack = project.registry.packs.get(4_001);
    for (const packVersion of ["1", "2", "3", "4", "5"])
      pack?.versions.push({ packVersion, buildNotes: "", sdkVersion: "1.0.0" });
    const versions = await listVersions(project.client, 4_001);
    expect(versions.map(({ packVersion }) => packVersion)).toEqual(["5", "4", "3", "2", "1"]);
    expect(project.registry.mistakes).toEqual([]);
  });

  it("a clone writes the source of the newest version", async () => {
    await using project = await startStrictProject();
    await project.client.call("createPack", { body: { name: "Greetings" } });
    const pack = project.registry.packs.get(4_001);
    pack?.versions.push({ packVersion: "3", buildNotes: "", sdkVersion: "1.0.0" });
    project.registry.sources.push({ filename: "main.ts", text: "// source" });
    const cloned = await clonePack(project.client, `${project.cwd}/copy`, 4_001);
    expect(cloned).toMatchObject({ version: "3", files: [`${project.cwd}/copy/pack.ts`] });
    expect(project.registry.mistakes).toEqual([]);
  });

  it("a Pack that does not exist is reported as one", async () => {
    await using project = await startStrictProject();
    await expect(project.client.call("getPack", { path })).rejects.toMatchObject({
      code: "REGISTRY_FORBIDDEN",
    });
  });
});
