import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LISTING_FILE, readListing } from "../../../src/publish/listing/listing-file.ts";
import { type ListingSource, planListing } from "../../../src/publish/listing/plan-listing.ts";
import { pullListing } from "../../../src/publish/listing/pull-listing.ts";
import { pushOAuthConfig } from "../../../src/publish/registry/oauth-config.ts";
import { type StrictProject, startStrictProject } from "./strict-project.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

async function startListing(listing: object): Promise<StrictProject> {
  const project = await startStrictProject();
  await project.create();
  project.write("images/logo.png", PNG);
  project.write(LISTING_FILE, JSON.stringify(listing));
  return project;
}

async function plan({ cwd, client }: StrictProject, more: Partial<ListingSource> = {}) {
  const path = join(cwd, LISTING_FILE);
  return await planListing({
    client,
    packId: 4_001,
    path,
    listing: await readListing(path),
    oauthClient: undefined,
    systemCredentials: undefined,
    ...more,
  });
}

async function apply(project: StrictProject, more: Partial<ListingSource> = {}) {
  const steps = await plan(project, more);
  for (const step of steps) await step.apply();
  return steps.map(({ member, from }) => ({ member, from }));
}

describe("the listing, at a registry that knows the public description only", () => {
  it("texts, limits, makers and categories are sent, and a second plan is empty", async () => {
    await using project = await startListing({
      name: "Tasks",
      shortDescription: "Your tasks.",
      overallRateLimit: { intervalSeconds: 86_400, operationsPerInterval: 0 },
      perConnectionRateLimit: { intervalSeconds: 1, operationsPerInterval: 5 },
      packEntrypoints: ["docs"],
      categories: ["Anything at all"],
      makers: ["grace@example.com"],
    });
    await apply(project);
    expect(await plan(project)).toEqual([]);
    const pack = project.registry.packs.get(4_001);
    expect(pack).toMatchObject({ makers: ["grace@example.com"], categories: ["Anything at all"] });
    project.write(LISTING_FILE, JSON.stringify({ categories: [], overallRateLimit: null }));
    await apply(project);
    expect(pack).toMatchObject({ categories: [], texts: { overallRateLimit: null } });
    expect(project.registry.mistakes).toEqual([]);
  });

  it("an image is announced, stored, and named by the id after /assets/", async () => {
    await using project = await startListing({
      logo: "images/logo.png",
      exampleImages: [{ file: "images/logo.png", altText: "A list" }],
    });
    await apply(project);
    expect(project.registry.packs.get(4_001)?.texts).toMatchObject({
      logo: { assetId: "kept-e23fcb50", filename: "logo.png" },
      exampleImages: [{ assetId: "kept-e23fcb51", filename: "logo.png" }],
    });
    expect(project.registry.mistakes).toEqual([]);
  });

  it("featured documents are replaced as a list, and known again by their ids", async () => {
    const featuredDocs = [
      { url: "https://docs.example/d/Tasks_dabc", isPinned: true },
      { url: "https://docs.example/@ada/tasks" },
    ];
    await using project = await startListing({ featuredDocs });
    expect(await apply(project)).toEqual([{ member: "featuredDocs", from: "none" }]);
    expect(project.registry.packs.get(4_001)?.featuredDocs).toEqual(featuredDocs);
    expect(await plan(project)).toEqual([]);
    await pullListing(project.client, 4_001, join(project.cwd, LISTING_FILE));
    expect((await readListing(join(project.cwd, LISTING_FILE))).featuredDocs).toEqual([
      { url: "https://docs.example/d/_dabc", isPinned: true },
      { url: "https://docs.example/@ada/tasks" },
    ]);
    expect(await plan(project)).toEqual([]);
    project.write(LISTING_FILE, JSON.stringify({ featuredDocs: [] }));
    await apply(project);
    expect(project.registry.packs.get(4_001)?.featuredDocs).toEqual([]);
    expect(project.registry.mistakes).toEqual([]);
  });

  it("an address is taken back with a null or an empty text", async () => {
    await using project = await startListing({ supportEmail: "help@example.com" });
    await apply(project);
    project.write(LISTING_FILE, JSON.stringify({ supportEmail: "" }));
    await apply(project);
    expect(await plan(project)).toEqual([]);
    expect(project.registry.mistakes).toEqual([]);
  });

  it("every principal of the description survives pull and apply; an unknown one is kept", async () => {
    await using project = await startListing({});
    const pack = project.registry.packs.get(4_001);
    const principals = [
      { type: "user", email: "grace@example.com" },
      { type: "workspace", workspaceId: "ws-2" },
      { type: "worldwide" },
      { type: "group", groupId: "grp-1", groupName: "Makers" },
      { type: "nomosOrganization", nomosOrganizationId: "no-1" },
      { type: "grammarlyInstitution", grammarlyInstitutionId: 7 },
      { type: "starship", hull: "NCC-1701" },
    ];
    for (const [at, principal] of principals.entries())
      pack?.permissions.push({ id: `p-${at}`, principal, access: "test" });
    await pullListing(project.client, 4_001, join(project.cwd, LISTING_FILE));
    expect(await plan(project)).toEqual([]);
    const { permissions = [], ...others } = await readListing(join(project.cwd, LISTING_FILE));
    expect(permissions).toHaveLength(principals.length);
    const known = permissions.filter((each) => !("unknown" in each));
    pack?.permissions.splice(1, 6);
    const unknown = permissions.filter((each) => "unknown" in each);
    project.write(LISTING_FILE, JSON.stringify({ ...others, permissions: [...known, ...unknown] }));
    await apply(project);
    expect(pack?.permissions).toHaveLength(principals.length + 1);
    project.write(LISTING_FILE, JSON.stringify({ permissions: unknown }));
    await apply(project);
    expect(pack?.permissions.map(({ principal }) => principal["type"])).toEqual([
      "user",
      "starship",
    ]);
    expect(project.registry.mistakes).toEqual([]);
  });

  it("an OAuth client is sent once while its mask shows its end, and again when it rotates", async () => {
    await using project = await startListing({});
    const client = (clientSecret: string) => ({
      oauthClient: { clientId: "client-1", clientSecret },
    });
    expect(await apply(project, client("secret-one"))).toHaveLength(1);
    expect(await apply(project, client("secret-one"))).toEqual([]);
    expect(await apply(project, client("secret-two"))).toHaveLength(1);
    expect(project.registry.packs.get(4_001)?.oauth.clientSecret).toBe("secret-two");
    expect(project.registry.mistakes).toEqual([]);
  });

  it("a secret whose mask shows nothing is sent again, and the plan says that it cannot compare", async () => {
    await using project = await startListing({});
    project.registry.mask = (secret) => (secret === "" ? "" : "••••••••");
    const client = (clientSecret: string) => ({
      oauthClient: { clientId: "client-1", clientSecret },
    });
    await apply(project, client("secret-one"));
    expect(await apply(project, client("secret-two"))).toEqual([
      { member: "oauthClient", from: expect.stringContaining("cannot be compared") },
    ]);
    expect(project.registry.packs.get(4_001)?.oauth.clientSecret).toBe("secret-two");
  });

  it("oauth-config push sends both credentials and returns the redirect URI", async () => {
    await using project = await startListing({});
    const client = { clientId: "client-1", clientSecret: "secret-one" };
    expect(await pushOAuthConfig(project.client, 4_001, client)).toMatchObject({
      redirectUri: `${project.registry.origin}/packsAuth/oauth2/4001`,
    });
    expect(project.registry.mistakes).toEqual([]);
  });

  it("a connection of the Pack is sent, and again when its secret rotates behind its mask", async () => {
    await using project = await startListing({});
    project.registry.mask = () => "••••";
    const connection = (token: string) => ({
      systemCredentials: { type: "header", token } as const,
    });
    expect(await apply(project, connection("token-one"))).toHaveLength(1);
    expect(await apply(project, connection("token-two"))).toEqual([
      { member: "systemConnection", from: expect.stringContaining("cannot be compared") },
    ]);
    expect(project.registry.packs.get(4_001)?.connection).toMatchObject({ token: "token-two" });
    expect(project.registry.mistakes).toEqual([]);
  });

  it.each([404, 400])(
    "status %i is the answer to a connection that is not there",
    async (status) => {
      await using project = await startListing({});
      project.registry.answers.set("getConnection", () => ({ status, body: { message: "None." } }));
      const systemCredentials = { type: "header", token: "token-one" } as const;
      expect(await apply(project, { systemCredentials })).toHaveLength(1);
      expect(project.registry.mistakes).toEqual([]);
    },
  );
});
