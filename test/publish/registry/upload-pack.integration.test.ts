import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatNotes } from "../../../src/publish/registry/build-notes.ts";
import { writePackId } from "../../../src/publish/registry/pack-id-file.ts";
import { registryAddress } from "../../../src/publish/registry/registry-address.ts";
import {
  createRegistryClient,
  type RegistryClient,
} from "../../../src/publish/registry/registry-client.ts";
import { chooseCases, isLong } from "../../support/breadth.ts";
import { hello, instantTimer, packSource, startRegistry, type TestRegistry } from "./registry.ts";

const listCodes = ({ failures }: { failures: { failure: { error: { code: string } } }[] }) =>
  failures.map(({ failure }) => failure.error.code);
/** What the registry was asked, the latest last. */
const sentOperations = ({ test }: TestRegistry) =>
  test.service.requests.map(({ operation }) => operation);
const STEPS = [
  "listPackVersions",
  "getNextPackVersion",
  "registerPackVersion",
  "putUpload",
  "completePackVersion",
] as const;

describe("upload", () => {
  it("uploads a Pack without a version as the version that its changes call for, with its notes", async () => {
    await using registry = await startRegistry();
    expect((await registry.upload({ notes: "first" })).results).toMatchObject([
      { version: "1", isChosen: true, state: "uploaded" },
    ]);
    registry.write("pack.ts", packSource(`${hello()}\n${hello("Says goodbye.", "Bye")}`));
    expect((await registry.upload()).results).toMatchObject([
      { version: "2", findings: ["formula Bye: added"] },
    ]);
    expect(
      (await registry.versions()).map(({ packVersion, buildNotes }) => [
        packVersion,
        formatNotes(buildNotes),
      ]),
    ).toEqual([
      ["2", ""],
      ["1", "first"],
    ]);
  });

  it("does not upload the same twice, from whatever machine, and uploads a Pack that goes back to an older content", async () => {
    await using registry = await startRegistry();
    await registry.upload();
    expect((await registry.upload()).results).toMatchObject([{ version: "1", state: "known" }]);
    registry.write("pack.ts", packSource(hello("Greets you.")));
    expect((await registry.upload()).results).toMatchObject([{ version: "2", state: "uploaded" }]);
    registry.write("pack.ts", packSource(hello()));
    expect((await registry.upload()).results).toMatchObject([{ version: "3", state: "uploaded" }]);
  });

  it("--dry-run names the version and the changes, and sends nothing", async () => {
    await using registry = await startRegistry();
    const { results } = await registry.upload({ dryRun: true });
    expect(results).toMatchObject([{ version: "1", state: "dry-run", bytes: expect.any(Number) }]);
    expect(await registry.versions()).toEqual([]);
    const operations = registry.test.service.requests.map(({ operation }) => operation);
    expect(operations).not.toContain("registerPackVersion");
  });

  it("refuses old names of members, which the platform does not accept, at their lines and before anything is sent", async () => {
    const table = `pack.addSyncTable({
  name: "Things", identityName: "Thing", description: "Things.",
  schema: { type: ValueType.Object,
    id: "key",
    displayProperty: "key", properties: { key: { type: ValueType.String } } } as never,
  formula: { name: "SyncThings", description: "Things.",
    parameters: [makeParameter({ type: ParameterType.String, name: "kind", description: "Kind.", defaultValue: "all" } as never)],
    execute: async () => ({ result: [] }) },
});`;
    await using registry = await startRegistry(packSource(table, 'newPack({ version: "1.0.0" })'));
    const report = await registry.upload();
    expect(listCodes(report)).toEqual(["PACK_INVALID"]);
    expect(
      report.issues.map(({ code, severity, file, line }) => `${severity} ${code} ${file}:${line}`),
    ).toEqual(["error DEPRECATED_KEY pack.ts:10", "error DEPRECATED_KEY pack.ts:7"]);
    expect(report.issues[1]?.hint).toBe(
      "Rename the key to idProperty. The document service rejects the old name. Run packsmith validate --fix to rename all old keys.",
    );
    expect(sentOperations(registry)).not.toContain("registerPackVersion");
  });

  it("reports progress in bytes up to the size of the upload", async () => {
    await using registry = await startRegistry();
    const sent: number[] = [];
    const { results } = await registry.upload({
      onProgress: ({ sentBytes }) => sent.push(sentBytes),
    });
    expect(sent.at(-1)).toBe(results[0]?.bytes);
  });

  it("uploads several Packs, and one that fails does not stop the others", async () => {
    await using registry = await startRegistry();
    registry.write("broken/pack.ts", packSource(hello("Greets.", "Not a name")));
    registry.write("lost/pack.ts", "this is not TypeScript");
    registry.write("torn/pack.ts", 'throw new Error("torn");');
    registry.write("unlinked/pack.ts", packSource(hello()));
    const report = await registry.upload({}, [
      "broken/pack.ts",
      "lost/pack.ts",
      "torn/pack.ts",
      "unlinked/pack.ts",
      "pack.ts",
    ]);
    expect(report.results).toMatchObject([{ file: "pack.ts", state: "uploaded" }]);
    // Each has its own reason, in the order of the files.
    expect(report.failures.map(({ file, failure }) => [file, failure.error.code])).toEqual([
      ["broken/pack.ts", "PACK_INVALID"],
      ["lost/pack.ts", "PACK_BUILD_FAILED"],
      ["torn/pack.ts", "PACK_LOAD_FAILED"],
      ["unlinked/pack.ts", "PACK_ID_MISSING"],
    ]);
  });

  it("refuses files that are the same Pack before anything is sent: each version would replace the one before", async () => {
    await using registry = await startRegistry();
    registry.write("other.ts", packSource(hello("Other.", "Other")));
    const report = await registry.upload({}, ["pack.ts", "other.ts"]);
    expect(listCodes(report)).toEqual(["USAGE_INVALID", "USAGE_INVALID"]);
    expect(report.failures[0]?.failure.error).toMatchObject({
      message: expect.stringMatching(
        /^2 of the files belong to Pack 1001 on .* The first two files are pack\.ts and other\.ts\.$/,
      ),
      hint: expect.stringContaining("a separate folder"),
    });
    expect(await registry.versions()).toEqual([]);
  });

  it("many Packs wait for a registry that is gone only twice, and not at all after it refused the token", async () => {
    await using registry = await startRegistry();
    const files = ["a/pack.ts", "b/pack.ts", "c/pack.ts", "d/pack.ts"];
    for (const file of files) {
      registry.write(file, packSource(hello()));
      const { packId } = await registry.client.call("createPack", { body: { name: file } });
      await writePackId(join(registry.cwd, dirname(file)), registry.client.registry, packId);
    }
    const asked = () =>
      sentOperations(registry).filter((operation) => operation === "listPackVersions").length;
    await registry.fail({ operation: "listPackVersions", drop: "before" });
    const gone = await registry.upload({}, files);
    expect(listCodes(gone)).toEqual(Array(4).fill("REGISTRY_UNREACHABLE"));
    const before = asked();
    await registry.fail({ operation: "listPackVersions", status: 401 });
    expect(listCodes(await registry.upload({}, files))).toEqual(
      Array(4).fill("REGISTRY_TOKEN_REFUSED"),
    );
    expect(asked() - before).toBe(1);
    await registry.fail();
    expect((await registry.upload({}, files)).results.map(({ state }) => state)).toEqual(
      Array(4).fill("uploaded"),
    );
  });

  it.each(chooseCases(STEPS, 4))(
    "waits out a 429 and a lost connection at %s, and keeps one version",
    async (operation) => {
      await using registry = await startRegistry();
      await registry.fail(
        { operation, status: 429, count: 1 },
        ...(operation === "putUpload" ? [{ operation, status: 503, count: 1 }] : []),
      );
      expect((await registry.upload()).results).toMatchObject([{ state: "uploaded" }]);
      expect(await registry.versions()).toHaveLength(1);
    },
  );

  it.each(chooseCases(STEPS, 3))(
    "a lost answer at %s leaves one version, and the command succeeds",
    async (operation) => {
      await using registry = await startRegistry();
      await registry.fail({ operation, drop: "after", count: 1 });
      expect((await registry.upload()).results).toMatchObject([
        { version: "1", state: "uploaded" },
      ]);
      expect(await registry.versions()).toHaveLength(1);
    },
  );

  it.each(chooseCases(STEPS, 4))(
    "a network that is gone at %s is one clear error, and the next run completes the upload",
    async (operation) => {
      await using registry = await startRegistry();
      await registry.fail({ operation, drop: "before" });
      expect(listCodes(await registry.upload())).toEqual(["REGISTRY_UNREACHABLE"]);
      await registry.fail();
      expect((await registry.upload()).results).toMatchObject([
        { version: "1", state: "uploaded" },
      ]);
      expect(await registry.versions()).toHaveLength(1);
    },
  );

  it.each(chooseCases(STEPS, 4))(
    "a registry that fails at %s is one clear error, and the next run completes the upload",
    async (operation) => {
      await using registry = await startRegistry();
      await registry.fail({ operation, status: 500 });
      expect(listCodes(await registry.upload())).toEqual(["REGISTRY_FAILED"]);
      await registry.fail();
      expect((await registry.upload()).results).toMatchObject([
        { version: "1", state: "uploaded" },
      ]);
      const sent = sentOperations(registry);
      expect((await registry.upload()).results).toMatchObject([{ version: "1", state: "known" }]);
      // The last run only read.
      expect(sentOperations(registry).slice(sent.length)).toEqual(["listPackVersions"]);
      expect(await registry.versions()).toHaveLength(1);
    },
  );

  it("two uploads of the same at once keep one version; of different content, the slower one learns that the version exists", async () => {
    await using registry = await startRegistry(
      packSource(hello(), 'newPack({ version: "1.0.0" })'),
    );
    const [one, other] = await Promise.all([registry.upload(), registry.upload()]);
    expect([...one.results, ...other.results].map(({ version }) => version)).toEqual([
      "1.0.0",
      "1.0.0",
    ]);
    expect(await registry.versions()).toHaveLength(1);
    registry.write("pack.ts", packSource(hello("Greets you."), 'newPack({ version: "1.0.0" })'));
    expect(listCodes(await registry.upload())).toEqual(["VERSION_EXISTS"]);
  });

  it.each(["registerPackVersion", "completePackVersion"])(
    "another upload of the same is faster before %s: the version is there, once",
    async (step) => {
      await using registry = await startRegistry();
      const { client } = registry;
      const slower: RegistryClient = {
        ...client,
        async call(operation, input) {
          if (operation === step) await registry.upload();
          return await client.call(operation, input);
        },
      };
      const { results, failures } = await registry.upload({ getClient: async () => slower });
      expect([failures, results.map(({ version }) => version)]).toEqual([[], ["1"]]);
      expect(await registry.versions()).toHaveLength(1);
    },
  );

  it("another upload that announces the same version does not undo the bytes that have arrived", async () => {
    await using registry = await startRegistry();
    const { client } = registry;
    let announced: Parameters<RegistryClient["call"]> | undefined;
    const first: RegistryClient = {
      ...client,
      async call(...given) {
        if (given[0] === "registerPackVersion") announced = given;
        if (given[0] === "completePackVersion" && announced !== undefined)
          await client.call(...announced);
        return await client.call(...given);
      },
    };
    const { results, failures } = await registry.upload({ getClient: async () => first });
    expect([failures, results.map(({ version }) => version)]).toEqual([[], ["1"]]);
  });

  it("stops between two steps when it is interrupted, and the next run completes it", async () => {
    await using registry = await startRegistry();
    const interrupt = new AbortController();
    const stopped = registry.upload({
      signal: interrupt.signal,
      onProgress: () => interrupt.abort(new Error("stopped")),
    });
    await expect(stopped).rejects.toThrow("stopped");
    expect(await registry.versions()).toEqual([]);
    expect((await registry.upload()).results).toMatchObject([{ version: "1", state: "uploaded" }]);
  });

  it("a version that is older than the newest is refused with the next step", async () => {
    await using registry = await startRegistry(
      packSource(hello(), 'newPack({ version: "2.0.0" })'),
    );
    await registry.upload();
    registry.write("pack.ts", packSource(hello(), 'newPack({ version: "1.0.0" })'));
    const { failures } = await registry.upload();
    expect(failures[0]?.failure.error).toMatchObject({
      code: "VERSION_OLDER",
      message: "Version 1.0.0 is older than 2.0.0, the newest version of the Pack.",
      hint: expect.stringContaining("packsmith rollback"),
    });
  });

  it.runIf(isLong)(
    "a 40 MB source map is refused before anything is sent",
    async () => {
      await using registry = await startRegistry();
      registry.write("pack.ts", `${packSource(hello())}\n/* ${"x".repeat(40_000_000)} */`);
      const report = await registry.upload();
      expect(listCodes(report)).toEqual(["UPLOAD_TOO_LARGE"]);
      expect(report.failures[0]?.failure.error.message).toMatch(
        /source map of [\d.]+ MB\. This is 8,\d{3},\d{3} bytes above the limit of 32\.0 MB/,
      );
      expect(registry.test.service.requests.map(({ operation }) => operation)).not.toContain(
        "registerPackVersion",
      );
    },
    60_000,
  );

  // docs/rules.md: C50
  it("refuses text that the registry would refuse before anything is sent", async () => {
    await using registry = await startRegistry(
      packSource(`${hello()}\nexport const code = (0, globalThis["x"])?.("new Function(");`),
    );
    expect(listCodes(await registry.upload())).toEqual(["UPLOAD_REFUSED"]);
    expect(registry.test.service.requests.map(({ operation }) => operation)).not.toContain(
      "registerPackVersion",
    );
  });

  it("problems that only the registry finds are issues at the author's lines", async () => {
    const strict = {
      validate: async () => ({
        errors: [{ path: "formulas[1].description", message: "Too short." }],
        warnings: [],
      }),
    };
    const compare = async () => ({ changes: [], nextVersion: undefined });
    await using registry = await startRegistry(packSource(`${hello()}\n${hello("Hm.", "Bye")}`), {
      packChecks: { ...strict, compare, findApprovals: async () => [] },
    });
    const report = await registry.upload();
    expect(listCodes(report)).toEqual(["UPLOAD_REFUSED"]);
    expect(report.issues).toMatchObject([
      { code: "UPLOAD_REFUSED", message: "Too short.", file: "pack.ts", line: 13, column: 3 },
    ]);
  });

  it("a wrong token, and a user without access, are told apart", async () => {
    const seed = {
      users: [
        { name: "One", email: "one@service.example" },
        { name: "Two", email: "two@service.example" },
      ],
      tokens: [{ token: "token-of-two", user: "two@service.example" }],
      docs: [],
    };
    await using registry = await startRegistry(packSource(hello()), { seed });
    const uploadAs = async (token: string) => {
      const address = registryAddress(registry.client.registry.origin, {}, undefined);
      return listCodes(
        await registry.upload({
          getClient: async () =>
            createRegistryClient({ registry: address, token, timer: instantTimer }),
        }),
      );
    };
    expect(await uploadAs("wrong-token")).toEqual(["REGISTRY_TOKEN_REFUSED"]);
    expect(await uploadAs("token-of-two")).toEqual(["REGISTRY_FORBIDDEN"]);
  });
});
