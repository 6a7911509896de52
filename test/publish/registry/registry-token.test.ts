import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { registryAddress } from "../../../src/publish/registry/registry-address.ts";
import {
  findToken,
  removeToken,
  saveToken,
  type TokenPlaces,
} from "../../../src/publish/registry/registry-token.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const PUBLIC = registryAddress(undefined, {}, undefined);
const OTHER = registryAddress("https://docs.example", {}, undefined);
const OF_PROJECT = registryAddress(undefined, {}, "https://docs.example");

function placesIn(folder: string, env: NodeJS.ProcessEnv = {}): TokenPlaces {
  const keyStore = { prefer: "file", keychain: undefined } as const;
  return {
    home: join(folder, "home"),
    databaseUrl: undefined,
    keyStore,
    cwd: folder,
    env,
    redactor: createRedactor(),
  };
}

describe("the token of a registry", () => {
  it("comes from the environment, the vault, .coda.json above the folder, or CODA_PACKS_API_KEY, in this order", async () => {
    using folder = makeTemporaryFolder();
    const nested = join(folder.path, "packs", "tasks");
    mkdirSync(nested, { recursive: true });
    const env: NodeJS.ProcessEnv = {
      CODA_PACKS_API_KEY: "from-older-variable",
      PACKSMITH_REGISTRY_TOKEN: "from-variable",
    };
    const places = { ...placesIn(folder.path, env), cwd: nested };
    const found = async () => (await findToken(OTHER, places)).token;
    expect(await found()).toBe("from-variable");
    delete env["PACKSMITH_REGISTRY_TOKEN"];
    expect(await found()).toBe("from-older-variable");
    writeFileSync(
      join(folder.path, ".coda.json"),
      '{ "apiKey": "public-key", "environmentApiKeys": { "docs.example": "from-file" } }',
    );
    expect(await found()).toBe("from-file");
    expect((await findToken(PUBLIC, places)).token).toBe("public-key");
    await saveToken(OTHER, "from-vault", "ada@service.example", places);
    expect(await found()).toBe("from-vault");
    expect(await removeToken(OTHER, places)).toBe(true);
    expect(await found()).toBe("from-file");
    expect(await removeToken(OTHER, places)).toBe(false);
  });

  it("of the environment never goes to a registry that only a file of the project names", async () => {
    using folder = makeTemporaryFolder();
    const places = placesIn(folder.path, {
      PACKSMITH_REGISTRY_TOKEN: "secret",
      CODA_PACKS_API_KEY: "secret",
    });
    await expect(findToken(OF_PROJECT, places)).rejects.toMatchObject({
      code: "REGISTRY_TOKEN_MISSING",
      hint: expect.stringContaining("packsmith login --registry https://docs.example"),
    });
  });

  it.each([
    ['{ "apiKey": "unfinished', "is not JSON"],
    ['["token"]', "is not a JSON object"],
  ])("names a .coda.json that cannot be used: %s", async (text, reason) => {
    using folder = makeTemporaryFolder();
    const path = join(folder.path, ".coda.json");
    writeFileSync(path, text);
    const message = `There is no token for ${PUBLIC.host}: ${path} ${reason}.`;
    await expect(findToken(PUBLIC, placesIn(folder.path))).rejects.toMatchObject({
      code: "REGISTRY_TOKEN_MISSING",
      message,
    });
    const withVariable = placesIn(folder.path, { CODA_PACKS_API_KEY: "from-older-variable" });
    expect((await findToken(PUBLIC, withVariable)).token).toBe("from-older-variable");
  });

  it("is hidden in everything that is printed after it was found", async () => {
    using folder = makeTemporaryFolder();
    const places = placesIn(folder.path, { PACKSMITH_REGISTRY_TOKEN: "synthetic-secret-token" });
    await findToken(PUBLIC, places);
    expect(places.redactor.text("sent synthetic-secret-token")).not.toContain(
      "synthetic-secret-token",
    );
  });

  it("is taken without the line break of a secret's file; a text that no header carries is refused, and hidden", async () => {
    using folder = makeTemporaryFolder();
    const broken = placesIn(folder.path, { PACKSMITH_REGISTRY_TOKEN: "synthetic-token\n" });
    expect((await findToken(PUBLIC, broken)).token).toBe("synthetic-token");
    expect(broken.redactor.text("synthetic-token")).not.toContain("synthetic-token");
    for (const text of ["first-line\nsecond-line", "with space", "tökén", "→"]) {
      const places = placesIn(folder.path, { PACKSMITH_REGISTRY_TOKEN: text });
      const refused = await findToken(PUBLIC, places).catch((error: unknown) => error);
      expect(refused).toMatchObject({
        code: "REGISTRY_TOKEN_REFUSED",
        message: expect.stringContaining("PACKSMITH_REGISTRY_TOKEN"),
      });
      expect(`${(refused as Error).message}`).not.toContain(text);
    }
  });

  it.each(["http://docs.example", "ftp://docs.example", "not a url", "nonsense", ""])(
    "is not sent to %j",
    (url) => {
      expect(() => registryAddress(url, {}, undefined)).toThrow(
        expect.objectContaining({ code: "REGISTRY_URL_INVALID" }),
      );
    },
  );

  it.each([
    "http://127.0.0.1:4020",
    "http://localhost:4020",
    "https://docs.example",
    "docs.example",
  ])("may be sent to %s", (url) => {
    expect(registryAddress(url, {}, undefined).isDefault).toBe(false);
  });
});
