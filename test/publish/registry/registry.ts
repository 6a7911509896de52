import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writePackId } from "../../../src/publish/registry/pack-id-file.ts";
import { registryAddress } from "../../../src/publish/registry/registry-address.ts";
import {
  createRegistryClient,
  type RegistryClient,
} from "../../../src/publish/registry/registry-client.ts";
import type { UploadOptions } from "../../../src/publish/registry/upload-options.ts";
import { type UploadReport, uploadPacks } from "../../../src/publish/registry/upload-pack.ts";
import type { ServiceOptions } from "../../../src/service/local/service.ts";
import { type ServiceUnderTest, startTestService } from "../../service/support.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

export interface TestRegistry extends AsyncDisposable {
  test: ServiceUnderTest;
  client: RegistryClient;
  /** The folder of the project. */
  cwd: string;
  packId: number;
  write(path: string, text: string): void;
  upload(options?: Partial<UploadOptions>, files?: string[]): Promise<UploadReport>;
  versions(): Promise<{ packVersion: string; buildNotes: string }[]>;
  /** Faults of the next requests. */
  fail(...faults: object[]): Promise<void>;
}

/** Time passes at once, so that waits before repeated requests take none. */
export const instantTimer = { now: () => Date.now(), sleep: async () => {} };

export const packSource = (formulas: string, pack = "newPack()"): string => `
import { AuthenticationType, makeParameter, newPack, ParameterType, ValueType } from "packsmith";
export const pack = ${pack};
${formulas}`;

export const hello = (description = "Greets.", name = "Hello"): string => `pack.addFormula({
  name: "${name}",
  description: "${description}",
  parameters: [],
  resultType: ValueType.String,
  execute: async () => "Hello!",
});`;

/** A local registry, and a project with one Pack that is linked to it. */
export async function startRegistry(
  source: string = packSource(hello()),
  options: ServiceOptions = {},
): Promise<TestRegistry> {
  const test = await startTestService(options);
  const folder = makeTemporaryFolder();
  const cwd = folder.path;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  write("pack.ts", source);
  write("package.json", '{ "name": "greetings", "type": "module" }');
  const registry = registryAddress(new URL(test.service.url).origin, {}, undefined);
  const client = createRegistryClient({ registry, token: test.service.token, timer: instantTimer });
  const { packId } = await client.call("createPack", { body: { name: "Greetings" } });
  await writePackId(cwd, registry, packId);
  return {
    test,
    client,
    cwd,
    packId,
    write,
    upload: (more = {}, files = ["pack.ts"]) =>
      uploadPacks(files, { cwd, getClient: async () => client, types: false, ...more }),
    versions: async () =>
      (await client.call("listPackVersions", { path: { packId: String(packId) } })).items,
    fail: async (...faults) => void (await test.control("/faults", { faults })),
    async [Symbol.asyncDispose]() {
      await test[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
