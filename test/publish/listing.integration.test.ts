import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  LISTING_FILE,
  listingJsonSchema,
  readListing,
} from "../../src/publish/listing/listing-file.ts";
import { type ListingSource, planListing } from "../../src/publish/listing/plan-listing.ts";
import { pullListing } from "../../src/publish/listing/pull-listing.ts";
import { compareMask } from "../../src/publish/registry/oauth-config.ts";
import { createRegistryClient } from "../../src/publish/registry/registry-client.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import {
  hello,
  instantTimer,
  packSource,
  startRegistry,
  type TestRegistry,
} from "./registry/registry.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const SEED = {
  users: [
    { name: "Ada", email: "ada@tasks.example" },
    { name: "Grace", email: "grace@tasks.example" },
  ],
  docs: [],
};

const LISTING = {
  name: "Tasks",
  shortDescription: "Your tasks.",
  description: "Reads and writes tasks.",
  logo: "images/logo.png",
  exampleImages: [{ file: "images/logo.png", altText: "A list" }],
  categories: ["Design"],
  makers: ["ada@tasks.example", "grace@tasks.example"],
  permissions: [
    { user: "grace@tasks.example", access: "edit" },
    { worldwide: true, access: "view" },
  ],
  supportEmail: "help@tasks.example",
  overallRateLimit: { intervalSeconds: 60, operationsPerInterval: 600 },
};

async function startListing(listing: object = LISTING) {
  const registry = await startRegistry(packSource(hello()), { seed: SEED });
  registry.write("images/logo.png", PNG.toString("latin1"));
  writeFileSync(join(registry.cwd, "images/logo.png"), PNG);
  registry.write(LISTING_FILE, JSON.stringify(listing));
  return registry;
}

async function plan(registry: TestRegistry, more: Partial<ListingSource> = {}) {
  const path = join(registry.cwd, LISTING_FILE);
  const { client, packId } = registry;
  const none = { oauthClient: undefined, systemCredentials: undefined };
  return await planListing({
    client,
    packId,
    path,
    listing: await readListing(path),
    ...none,
    ...more,
  });
}

describe("the listing as a file", () => {
  it("the plan names every difference, apply removes them, and a second plan is empty", async () => {
    await using registry = await startListing();
    const steps = await plan(registry);
    expect(
      steps.map(({ member, from, to }) => `${member}: ${from} → ${to}`),
    ).toMatchInlineSnapshot(`
      [
        "name: Greetings → Tasks",
        "shortDescription: none → Your tasks.",
        "description: none → Reads and writes tasks.",
        "supportEmail: none → help@tasks.example",
        "overallRateLimit: none → {"intervalSeconds":60,"operationsPerInterval":600}",
        "logo: none → images/logo.png",
        "exampleImages: 0 images → ["logo.png"]",
        "categories: none → Design",
        "makers: none → grace@tasks.example",
        "permissions user grace@tasks.example: none → edit",
        "permissions worldwide: none → view",
      ]
    `);
    for (const step of steps) await step.apply();
    expect(await plan(registry)).toEqual([]);
    const live = await registry.client.call("getPack", {
      path: { packId: String(registry.packId) },
    });
    expect(live).toMatchObject({
      name: "Tasks",
      supportEmail: "help@tasks.example",
      logoUrl: expect.stringContaining("/files/"),
    });
    expect(Buffer.from(await registry.client.download(live.logoUrl ?? ""))).toEqual(PNG);
  });

  it("gives before it takes away, and keeps the access of the user who applies it", async () => {
    await using registry = await startListing();
    for (const step of await plan(registry)) await step.apply();
    registry.write(
      LISTING_FILE,
      JSON.stringify({ permissions: [{ workspace: "ws-local00000", access: "test" }] }),
    );
    const steps = await plan(registry);
    expect(steps.map(({ member, to }) => `${member} → ${to}`)).toEqual([
      "permissions workspace ws-local00000 → test",
      "permissions user grace@tasks.example → none",
      "permissions worldwide → none",
    ]);
  });

  it("an apply that was interrupted is completed by the next one", async () => {
    await using registry = await startListing();
    const [first, second] = await plan(registry);
    await first?.apply();
    await registry.fail({ operation: "updatePack", status: 500 });
    await expect(second?.apply()).rejects.toMatchObject({ code: "REGISTRY_FAILED" });
    await registry.fail();
    for (const step of await plan(registry)) await step.apply();
    expect(await plan(registry)).toEqual([]);
  });

  it("members that are missing stay as they are, and null takes away", async () => {
    await using registry = await startListing();
    for (const step of await plan(registry)) await step.apply();
    registry.write(LISTING_FILE, JSON.stringify({ logo: null, overallRateLimit: null }));
    const steps = await plan(registry);
    expect(steps.map(({ member }) => member)).toEqual(["overallRateLimit", "logo"]);
    for (const step of steps) await step.apply();
    expect(await plan(registry)).toEqual([]);
    expect(
      await registry.client.call("getPack", { path: { packId: String(registry.packId) } }),
    ).toMatchObject({ name: "Tasks" });
  });

  it("pull writes a file that plans nothing, with the images, and keeps the names of accounts", async () => {
    await using registry = await startListing({ ...LISTING, oauthClient: { account: "work" } });
    for (const step of await plan(registry)) await step.apply();
    const path = join(registry.cwd, LISTING_FILE);
    await pullListing(registry.client, registry.packId, path);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      logo: "listing/logo.png",
      oauthClient: { account: "work" },
    });
    expect(existsSync(join(registry.cwd, "listing", "example-1.png"))).toBe(true);
    expect(await plan(registry)).toEqual([]);
  });

  it("pull writes a damaged file again, and says so in one error when it cannot write", async () => {
    await using registry = await startListing();
    const path = join(registry.cwd, LISTING_FILE);
    registry.write(LISTING_FILE, "{");
    await pullListing(registry.client, registry.packId, path);
    expect(JSON.parse(readFileSync(path, "utf8"))).toHaveProperty("name");
    await expect(
      pullListing(registry.client, registry.packId, join(path, LISTING_FILE)),
    ).rejects.toMatchObject({
      code: "OUTPUT_NOT_WRITABLE",
      message: expect.stringContaining("a part of the path is a file"),
    });
  });

  it("credentials are compared by what the registry shows of them, and never appear in a plan", async () => {
    await using registry = await startListing({});
    const oauthClient = {
      clientId: "client-0123456789-abcd",
      clientSecret: "synthetic-secret-0123456789",
    };
    const systemCredentials = { type: "header", token: "synthetic-token-0123456789" } as const;
    const steps = await plan(registry, { oauthClient, systemCredentials });
    expect(steps.map(({ member, from, to }) => `${member}: ${from} → ${to}`)).toEqual([
      "oauthClient: none → the client of the vault",
      "systemConnection: none → the account of the vault",
    ]);
    for (const step of steps) await step.apply();
    expect(await plan(registry, { oauthClient, systemCredentials })).toEqual([]);
    const changed = { ...oauthClient, clientSecret: "another-secret-9876543210" };
    expect(JSON.stringify(await plan(registry, { oauthClient: changed }))).not.toContain(
      "another-secret",
    );
    expect(await plan(registry, { oauthClient: changed })).toHaveLength(1);
    const state = JSON.stringify((await registry.test.control("/state")).body);
    expect(state).not.toContain("synthetic-secret");
    expect(state).not.toContain("synthetic-token");
  });

  it.each([
    ["{", "it is not JSON"],
    ['{ "nmae": "x" }', "nmae"],
    [
      '{ "overallRateLimit": { "intervalSeconds": 0, "operationsPerInterval": 1 } }',
      "overallRateLimit.intervalSeconds",
    ],
    ['{ "permissions": [{ "user": "nobody", "access": "edit" }] }', "permissions[0]"],
  ])("refuses %s, and names the place", async (text, place) => {
    await using registry = await startListing();
    registry.write(LISTING_FILE, text);
    await expect(plan(registry)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(place),
    });
  });

  it.each(["images/none.png", "pack.ts"])(
    "refuses the image %s before anything is changed",
    async (logo) => {
      await using registry = await startListing({ name: "Other", logo });
      await expect(plan(registry)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(logo),
      });
      expect(
        await registry.client.call("getPack", { path: { packId: String(registry.packId) } }),
      ).toMatchObject({ name: "Greetings" });
    },
  );

  it.each([
    ["large.png", 12_000_000, "The image images/large.png has 12.0 MB; the limit is 10.0 MB."],
    ["empty.png", 0, "The image images/empty.png is empty."],
  ])(
    "an image that the registry would refuse is refused by the plan: %s",
    async (name, bytes, message) => {
      await using registry = await startListing({ name: "Other", logo: `images/${name}` });
      writeFileSync(join(registry.cwd, "images", name), Buffer.alloc(bytes));
      await expect(plan(registry)).rejects.toMatchObject({ code: "CONFIG_INVALID", message });
    },
  );

  it("a category that the registry does not have is refused by the registry", async () => {
    await using registry = await startListing({ categories: ["Design", "Desing"] });
    const [design, desing] = await plan(registry);
    await design?.apply();
    await expect(desing?.apply()).rejects.toMatchObject({
      code: "REGISTRY_FAILED",
      message: expect.stringContaining('Unknown category "Desing"'),
    });
  });

  it.each([
    ["permissions", { permissions: [{ worldwide: true, access: "view" }] }],
    ["makers", { makers: ["grace@tasks.example"] }],
  ])(
    "%s that only an administrator may change are refused by the registry, after the rest is changed",
    async (_name, listing) => {
      const tokens = [{ token: "token-of-grace", user: "grace@tasks.example" }];
      await using registry = await startRegistry(packSource(hello()), {
        seed: { ...SEED, tokens },
      });
      registry.write(
        LISTING_FILE,
        JSON.stringify({ permissions: [{ user: "grace@tasks.example", access: "edit" }] }),
      );
      for (const step of await plan(registry)) await step.apply();
      const client = createRegistryClient({
        registry: registry.client.registry,
        token: "token-of-grace",
        timer: instantTimer,
      });
      registry.write(LISTING_FILE, JSON.stringify({ name: "Other" }));
      expect(await plan(registry, { client })).toHaveLength(1);
      registry.write(LISTING_FILE, JSON.stringify({ name: "Other", ...listing }));
      const [name, restricted] = await plan(registry, { client });
      await name?.apply();
      await expect(restricted?.apply()).rejects.toMatchObject({ code: "REGISTRY_FORBIDDEN" });
    },
  );

  it("never opens a Pack to more people than the registry had, and does not change who is unknown", async () => {
    await using registry = await startListing({});
    const items = [
      {
        id: "pperm-1",
        access: "view",
        principal: { type: "nomosOrganization", nomosOrganizationId: "org-1" },
      },
      { id: "pperm-2", access: "view", principal: { type: "planet", planetId: "mars" } },
    ] as const;
    const client: TestRegistry["client"] = {
      ...registry.client,
      call: (async (operation, request) =>
        operation === "listPackPermissions"
          ? { items, permissionUsers: [] }
          : await registry.client.call(operation, request)) as TestRegistry["client"]["call"],
    };
    const path = join(registry.cwd, LISTING_FILE);
    await pullListing(client, registry.packId, path);
    expect(JSON.parse(readFileSync(path, "utf8")).permissions).toEqual([
      { nomosOrganization: "org-1", access: "view" },
      { unknown: { type: "planet", planetId: "mars" }, access: "view" },
    ]);
    expect(await plan(registry, { client })).toEqual([]);
    registry.write(LISTING_FILE, JSON.stringify({ permissions: [] }));
    await expect(plan(registry, { client })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining('the type "planet" is unknown'),
    });
  });

  it("uploads no image from outside of the project, by a path or by a link", async () => {
    await using registry = await startListing();
    using outside = makeTemporaryFolder();
    writeFileSync(join(outside.path, "key.png"), "planted");
    registry.write("package.json", "{}");
    symlinkSync(join(outside.path, "key.png"), join(registry.cwd, "images/linked.png"));
    for (const logo of [join(outside.path, "key.png"), "../../private.png", "images/linked.png"]) {
      registry.write(LISTING_FILE, JSON.stringify({ logo }));
      await expect(plan(registry)).rejects.toMatchObject({ code: "OUTSIDE_PROJECT" });
    }
  });

  it("the schema that editors use is the one of the file", () => {
    const shipped = readFileSync(
      new URL("../../templates/packsmith.config.schema.json", import.meta.url),
      "utf8",
    );
    expect(JSON.parse(shipped)).toEqual(JSON.parse(JSON.stringify(listingJsonSchema())));
  });

  it("a mask proves that a secret is another one, and the same one if it shows enough of it", () => {
    expect(compareMask("••••••••abcd", "0123-abcd")).toBe("same");
    expect(compareMask("••••••••abcd", "0123-abce")).toBe("different");
    expect(compareMask("••••••••", "0123-abce")).toBe("unknown");
    expect(compareMask("0••••••••", "0123-abce")).toBe("unknown");
    expect(compareMask("", "secret")).toBe("different");
    expect(compareMask("", undefined)).toBe("same");
  });
});
