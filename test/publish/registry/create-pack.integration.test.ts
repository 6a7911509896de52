import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clonePack } from "../../../src/publish/registry/clone-pack.ts";
import { createPack, linkPack } from "../../../src/publish/registry/create-pack.ts";
import { parsePackId, readPackId } from "../../../src/publish/registry/pack-id-file.ts";
import { registryAddress } from "../../../src/publish/registry/registry-address.ts";
import {
  createRegistryClient,
  type RegistryClient,
} from "../../../src/publish/registry/registry-client.ts";
import { sha256 } from "../../../src/shared/crypto.ts";
import { startTestService } from "../../service/support.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { instantTimer, startRegistry } from "./registry.ts";

async function startEmpty() {
  const test = await startTestService();
  const folder = makeTemporaryFolder();
  const registry = registryAddress(new URL(test.service.url).origin, {}, undefined);
  const client = createRegistryClient({ registry, token: test.service.token, timer: instantTimer });
  return {
    test,
    client,
    cwd: folder.path,
    packs: async () => (await client.call("listPacks")).items,
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe("create", () => {
  it("writes the id in the form that other tools know, and keeps what the file has already", async () => {
    await using empty = await startEmpty();
    const path = join(empty.cwd, ".coda-pack.json");
    writeFileSync(
      path,
      JSON.stringify({
        packId: 7,
        options: { timerStrategy: "fake" },
        environmentPackIds: { "docs.example": 8 },
      }),
    );
    expect(await createPack(empty.client, empty.cwd, { name: "Tasks" })).toEqual({
      packId: 1001,
      path,
      isFound: false,
    });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      packId: 7,
      options: { timerStrategy: "fake" },
      environmentPackIds: { "docs.example": 8, [empty.client.registry.host]: 1001 },
    });
  });

  it("finds the Pack again when the answer was lost, instead of creating a second one", async () => {
    await using empty = await startEmpty();
    await createPack(empty.client, join(empty.cwd), { name: "Tasks" });
    const other = makeTemporaryFolder();
    await empty.test.control("/faults", {
      faults: [{ operation: "createPack", drop: "after", count: 1 }],
    });
    await expect(createPack(empty.client, other.path, { name: "Tasks" })).rejects.toMatchObject({
      code: "REGISTRY_UNREACHABLE",
    });
    expect(await createPack(empty.client, other.path, { name: "Tasks" })).toMatchObject({
      packId: 1002,
      isFound: true,
    });
    expect((await empty.packs()).map(({ id }) => id)).toEqual([1001, 1002]);
    other[Symbol.dispose]();
  });

  it("creates it when the request was lost before it arrived", async () => {
    await using empty = await startEmpty();
    await empty.test.control("/faults", {
      faults: [{ operation: "createPack", drop: "before", count: 1 }],
    });
    await expect(createPack(empty.client, empty.cwd, { name: "Tasks" })).rejects.toMatchObject({
      code: "REGISTRY_UNREACHABLE",
    });
    expect(await createPack(empty.client, empty.cwd, { name: "Tasks" })).toMatchObject({
      packId: 1001,
      isFound: false,
    });
  });

  it("refuses a folder that has a Pack, and a file that is damaged, and sends nothing", async () => {
    await using empty = await startEmpty();
    await createPack(empty.client, empty.cwd, { name: "Tasks" });
    await expect(createPack(empty.client, empty.cwd, { name: "Tasks" })).rejects.toMatchObject({
      code: "PACK_ID_PRESENT",
    });
    writeFileSync(join(empty.cwd, ".coda-pack.json"), "{");
    await expect(createPack(empty.client, empty.cwd, { name: "Tasks" })).rejects.toMatchObject({
      code: "PACK_ID_FILE_INVALID",
    });
    // A file that cannot be read does not mean that there is no Pack.
    rmSync(join(empty.cwd, ".coda-pack.json"));
    mkdirSync(join(empty.cwd, ".coda-pack.json"));
    await expect(createPack(empty.client, empty.cwd, { name: "Tasks" })).rejects.toMatchObject({
      code: "PACK_ID_FILE_INVALID",
    });
    expect(await empty.packs()).toHaveLength(1);
  });

  it("creates no Pack that the folder cannot name, and a refusal leaves no file behind", async () => {
    await using empty = await startEmpty();
    writeFileSync(join(empty.cwd, "file"), "");
    await expect(
      createPack(empty.client, join(empty.cwd, "file"), { name: "Tasks" }),
    ).rejects.toMatchObject({
      code: "OUTPUT_NOT_WRITABLE",
      hint: expect.stringContaining("No Pack was created."),
    });
    await empty.test.control("/faults", {
      faults: [{ operation: "createPack", status: 403, count: 1 }],
    });
    await expect(createPack(empty.client, empty.cwd, { name: "Tasks" })).rejects.toMatchObject({
      code: "REGISTRY_FAILED",
    });
    expect([await empty.packs(), readdirSync(empty.cwd)]).toEqual([[], ["file"]]);
  });
});

describe("link and clone", () => {
  it("links a folder, and another Pack only when it is forced", async () => {
    await using registry = await startRegistry();
    const { packId } = await registry.client.call("createPack", { body: { name: "Other" } });
    await expect(linkPack(registry.client, registry.cwd, packId, false)).rejects.toMatchObject({
      code: "PACK_ID_PRESENT",
    });
    await linkPack(registry.client, registry.cwd, packId, true);
    expect(readPackId(registry.cwd, registry.client.registry)).toBe(packId);
    await expect(linkPack(registry.client, registry.cwd, 4_711, true)).rejects.toMatchObject({
      code: "REGISTRY_FORBIDDEN",
    });
  });

  it("clones the source of the newest version, and overwrites nothing", async () => {
    await using registry = await startRegistry();
    await registry.upload();
    const folder = makeTemporaryFolder();
    await expect(clonePack(registry.client, folder.path, registry.packId)).rejects.toMatchObject({
      code: "SOURCE_MISSING",
    });
    await uploadSource(registry, "pack.ts", "export const x = 1;");
    expect(await clonePack(registry.client, folder.path, registry.packId)).toMatchObject({
      name: "Greetings",
      version: "1",
    });
    expect(readFileSync(join(folder.path, "pack.ts"), "utf8")).toBe("export const x = 1;");
    await expect(clonePack(registry.client, folder.path, registry.packId)).rejects.toMatchObject({
      code: "TARGET_NOT_EMPTY",
    });
    folder[Symbol.dispose]();
  });

  it("a file name of the registry never leaves the folder, and is never that of a file that other programs act on", async () => {
    await using registry = await startRegistry();
    using folder = makeTemporaryFolder();
    const names: unknown[] = [
      { toString: "no function" },
      null,
      "../outside.js",
      "/outside.js",
      "a/../../outside.js",
      "C:\\outside.js",
      ".git/config",
      "a/.vscode/tasks.json",
      "node_modules/x/index.js",
    ];
    for (const filename of names) {
      const client: RegistryClient = {
        ...registry.client,
        call: async (operation) =>
          ({
            getPack: { name: "Greetings" },
            listPackVersions: { items: [{ packVersion: "1.0.0" }] },
            getPackSourceCode: {
              files: [filename, "inside.js"].map((name) => ({
                filename: name,
                url: "https://store.example/",
              })),
            },
          })[operation as "getPack"] as never,
      };
      await expect(
        clonePack(client, folder.path, registry.packId),
        String(JSON.stringify(filename)),
      ).rejects.toMatchObject({ code: "REGISTRY_FAILED" });
    }
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each([
    ["1001", 1001],
    ["https://docs.example/p/1001", 1001],
    ["https://docs.example/p/1001/edit?x=1", 1001],
    ["https://docs.example/packs/tasks-1001", 1001],
  ])("reads the id of %s", (text, id) => {
    expect(parsePackId(text)).toBe(id);
  });

  it.each([
    "",
    "0",
    "tasks",
    "https://docs.example/d/1001",
    "-1",
    "1e3",
    "https://docs.example/p/x",
  ])("refuses %j as an id", (text) => {
    expect(() => parsePackId(text)).toThrow(expect.objectContaining({ code: "PACK_ID_INVALID" }));
  });
});

async function uploadSource(
  { client, packId }: Awaited<ReturnType<typeof startRegistry>>,
  filename: string,
  text: string,
): Promise<void> {
  const path = { packId: String(packId) };
  const codeHash = sha256(text, "hex");
  await client.put(
    await client.call("uploadPackSourceCode", { path, body: { payloadHash: codeHash, filename } }),
    Buffer.from(text),
  );
  await client.call("completePackSourceCode", {
    path: { ...path, packVersion: "1" },
    body: { filename, codeHash },
  });
}
