import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type CreatedPack,
  createPack,
  type NewPack,
} from "../../../src/publish/registry/create-pack.ts";
import { registryAddress } from "../../../src/publish/registry/registry-address.ts";
import {
  createRegistryClient,
  type RegistryClient,
} from "../../../src/publish/registry/registry-client.ts";
import type { UploadOptions } from "../../../src/publish/registry/upload-options.ts";
import { uploadPacks } from "../../../src/publish/registry/upload-pack.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { hello, instantTimer, packSource } from "../registry/registry.ts";
import { STRICT_TOKEN, type StrictRegistry, startStrictRegistry } from "./strict-registry.ts";

export interface StrictProject extends AsyncDisposable {
  registry: StrictRegistry;
  client: RegistryClient;
  cwd: string;
  write(path: string, content: string | Buffer): void;
  create(pack?: Partial<NewPack>): Promise<CreatedPack>;
  /** @throws what refused the upload */
  upload(options?: Partial<UploadOptions>): Promise<string>;
}

/** A project with one Pack, whose client talks to a registry that knows the description only. */
export async function startStrictProject(
  source: string = packSource(hello()),
): Promise<StrictProject> {
  const registry = await startStrictRegistry();
  const folder = makeTemporaryFolder();
  const cwd = folder.path;
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  };
  write("pack.ts", source);
  write("package.json", '{ "name": "greetings", "type": "module" }');
  const address = registryAddress(registry.origin, {}, undefined);
  const client = createRegistryClient({
    registry: address,
    token: STRICT_TOKEN,
    timer: instantTimer,
  });
  return {
    registry,
    client,
    cwd,
    write,
    create: (pack = {}) => createPack(client, cwd, { name: "Greetings", ...pack }),
    async upload(options = {}) {
      const { results, failures } = await uploadPacks(["pack.ts"], {
        cwd,
        getClient: async () => client,
        types: false,
        ...options,
      });
      if (failures[0] !== undefined) throw failures[0].failure.cause;
      return results[0]?.version ?? "";
    },
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
