import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRegistrySecrets } from "../../../../src/service/local/registry/registry-secrets.ts";
import { makeTemporaryFolder } from "../../../support/temporary-folder.ts";

const SHARED = Buffer.alloc(32, 1);

describe("openRegistrySecrets", () => {
  it("makes a key file once, and opens what was sealed with it", () => {
    using folder = makeTemporaryFolder();
    const path = join(folder.path, "service.key");
    const sealed = openRegistrySecrets(":memory:", SHARED, path).seal(1, "client", { a: "b" });
    const again = openRegistrySecrets(":memory:", SHARED, path);
    expect(again.open(1, "client", sealed)).toEqual({ a: "b" });
    expect(() => again.open(2, "client", sealed)).toThrow("cannot decrypt");
  });

  it("refuses a key file that is a folder, before the service starts", () => {
    using folder = makeTemporaryFolder();
    expect(() => openRegistrySecrets(":memory:", SHARED, folder.path)).toThrow(
      expect.objectContaining({
        code: "OUTPUT_NOT_WRITABLE",
        message: `The key file ${folder.path} cannot be used.`,
      }),
    );
  });
});
