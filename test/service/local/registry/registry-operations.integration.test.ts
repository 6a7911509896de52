import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { REGISTRY_MODELS } from "../../../../src/service/contract/registry/registry-operation-models.ts";
import {
  REGISTRY_OPERATIONS,
  type RegistryOperationId,
} from "../../../../src/service/contract/registry/registry-operations.ts";
import { createPackChecks } from "../../../../src/service/packs/pack-checks.ts";
import { sha256 } from "../../../../src/shared/crypto.ts";
import { chooseCases } from "../../../support/breadth.ts";
import { makeTemporaryFolder } from "../../../support/temporary-folder.ts";
import { onEachDatabase, type ServiceUnderTest, startTestService } from "../../support.ts";
import { createTestPack, putUpload, uploadVersion } from "./uploads.ts";

/** One good request of an operation, and what its answer has at least. */
interface Case {
  path?:
    | Record<string, string>
    | ((test: ServiceUnderTest, packId: number) => Promise<Record<string, string>>);
  body?: unknown | ((test: ServiceUnderTest, packId: number) => Promise<unknown>);
  answer: object;
}

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const VERSION = { packVersion: "1.0.0" };
const SECRET = "synthetic-secret-0123456789";
const header = { type: "header", token: SECRET };
const postForId = async (test: ServiceUnderTest, path: string, member: string, body: unknown) =>
  String((await test.write("POST", path, body)).body[member]);
const announced = async (test: ServiceUnderTest, packId: number) => {
  const body = {
    packAssetType: "logo",
    imageHash: sha256(PNG, "hex"),
    mimeType: "image/png",
    filename: "logo.png",
  };
  const answer = await test.write("POST", `/packs/${packId}/uploadAsset`, body);
  await putUpload(answer.body, PNG as never);
  // The id is the last part of a path.
  return String(answer.body["packAssetUploadedPathName"]).replace(/^.*\/assets\//, "");
};
const SOURCE = { payloadHash: sha256("source", "hex"), filename: "pack.ts" };

const CASES: { readonly [Id in RegistryOperationId]: Case } = {
  listPacks: { answer: { items: [{ id: 1001, name: "Tasks" }] } },
  createPack: { body: { name: "Other", description: "Another." }, answer: { packId: 1002 } },
  listOwnPackInvitations: { answer: { items: [] } },
  replyToPackInvitation: {
    path: async (test, packId) => ({
      invitationId: await postForId(test, `/packs/${packId}/invitations`, "invitationId", {
        email: "first.owner@service.example",
        access: "edit",
      }),
    }),
    body: { accept: true },
    answer: { permissionId: expect.any(String) },
  },
  getPack: {
    answer: {
      id: 1001,
      name: "Tasks",
      description: "",
      shortDescription: "",
      workspaceId: "ws-demo000001",
      categories: [],
    },
  },
  updatePack: {
    body: { name: "New", supportEmail: "a@tasks.example" },
    answer: { name: "New", supportEmail: "a@tasks.example" },
  },
  deletePack: { answer: {} },
  listPackVersions: {
    answer: { items: [{ packVersion: "1.0.0" }], creationUsers: [{ type: "user" }] },
  },
  getNextPackVersion: {
    body: { proposedMetadata: "{}" },
    answer: { nextVersion: expect.any(String), findings: expect.any(Array) },
  },
  getPackVersionDiff: {
    path: { basePackVersion: "1.0.0", targetPackVersion: "1.0.0" },
    answer: { findings: [], findingDetails: [] },
  },
  registerPackVersion: {
    path: { packVersion: "1.1.0" },
    body: { bundleHash: sha256("x", "hex") },
    answer: { uploadUrl: expect.stringContaining("/uploads/1001/"), headers: expect.any(Object) },
  },
  completePackVersion: {
    path: async (test, packId) => {
      const payload = JSON.stringify({
        metadata: { version: "1.1.0", formulas: [] },
        sdkVersion: "1.17.5",
        bundle: "exports.pack = { formulas: [] }; module.exports = exports;",
      });
      const path = `/packs/${packId}/versions/1.1.0/register`;
      await putUpload(
        (await test.write("POST", path, { bundleHash: sha256(payload, "hex") })).body,
        payload,
      );
      return { packVersion: "1.1.0" };
    },
    body: { notes: "n" },
    answer: {},
  },
  createPackRelease: {
    body: { packVersion: "1.0.0" },
    answer: { packId: 1001, releaseId: 1, sdkVersion: "1.17.5" },
  },
  listPackReleases: { answer: { items: [] } },
  updatePackRelease: {
    path: async (test, packId) => ({
      packReleaseId: await postForId(test, `/packs/${packId}/releases`, "releaseId", VERSION),
    }),
    body: { releaseNotes: "n" },
    answer: { releaseNotes: "n" },
  },
  getPackOAuthConfig: {
    answer: {
      maskedClientId: "",
      maskedClientSecret: "",
      redirectUri: expect.stringContaining("/packsAuth/oauth2/1001"),
    },
  },
  setPackOAuthConfig: {
    body: { clientId: "client-0123456789-abcd", clientSecret: SECRET },
    answer: { maskedClientId: "••••••••abcd", maskedClientSecret: "••••••••6789" },
  },
  getPackSystemConnection: {
    path: async (test, packId) => {
      await test.write("PUT", `/packs/${packId}/systemConnection`, { credentials: header });
      return {};
    },
    answer: {
      type: "header",
      maskedToken: "••••••••6789",
      headerName: "Authorization",
      tokenPrefix: "Bearer",
    },
  },
  setPackSystemConnection: {
    body: { credentials: { type: "custom", params: [{ key: "a", value: SECRET }] } },
    answer: {
      type: "custom",
      params: [{ key: "a", maskedValue: "••••••••6789" }],
      presetKeys: [],
      domain: "",
    },
  },
  patchPackSystemConnection: {
    path: async (test, packId) => {
      const params = [
        { key: "a", value: SECRET },
        { key: "b", value: SECRET },
      ];
      await test.write("PUT", `/packs/${packId}/systemConnection`, {
        credentials: { type: "urlParam", params },
      });
      return {};
    },
    body: { type: "urlParam", paramsToPatch: [{ key: "b", value: "another-secret-000000" }] },
    answer: {
      params: [
        { key: "a", maskedValue: "••••••••6789" },
        { key: "b", maskedValue: "••••••••0000" },
      ],
    },
  },
  listPackPermissions: {
    answer: {
      items: [
        { principal: { type: "user", email: "first.owner@service.example" }, access: "admin" },
      ],
      permissionUsers: [{ type: "user" }],
    },
  },
  addPackPermission: {
    body: { principal: { type: "worldwide" }, access: "view" },
    answer: { permissionId: expect.any(String) },
  },
  deletePackPermission: {
    path: async (test, packId) => {
      const body = { principal: { type: "worldwide" }, access: "view" };
      return {
        permissionId: await postForId(test, `/packs/${packId}/permissions`, "permissionId", body),
      };
    },
    answer: {},
  },
  listPackInvitations: { answer: { items: [] } },
  createPackInvitation: {
    body: { email: "x@tasks.example", access: "edit" },
    answer: { invitationId: expect.any(String) },
  },
  updatePackInvitation: { path: invitation, body: { access: "view" }, answer: {} },
  deletePackInvitation: { path: invitation, answer: {} },
  listPackMakers: {
    answer: { makers: [{ name: "First Owner", loginId: "first.owner@service.example" }] },
  },
  addPackMaker: { body: { loginId: "first.viewer@service.example" }, answer: {} },
  deletePackMaker: { path: { loginId: "first.owner@service.example" }, answer: {} },
  listPackCategories: { answer: { categories: [] } },
  addPackCategory: { body: { categoryName: "Design" }, answer: {} },
  deletePackCategory: {
    path: async (test, packId) => {
      await test.write("POST", `/packs/${packId}/category`, { categoryName: "Design" });
      return { categoryName: "Design" };
    },
    answer: {},
  },
  uploadPackAsset: {
    body: {
      packAssetType: "logo",
      imageHash: sha256(PNG, "hex"),
      mimeType: "image/png",
      filename: "logo.png",
    },
    answer: {
      packAssetUploadedPathName: expect.stringMatching(/^\/packs\/1001\/assets\/./),
      uploadUrl: expect.any(String),
    },
  },
  completePackAsset: {
    path: async (test, packId) => ({
      packAssetId: await announced(test, packId),
      packAssetType: "logo",
    }),
    answer: { assetId: expect.any(String), requestId: expect.any(String) },
  },
  uploadPackSourceCode: { body: SOURCE, answer: { uploadedPathName: expect.any(String) } },
  completePackSourceCode: {
    path: async (test, packId) => {
      await putUpload(
        (await test.write("POST", `/packs/${packId}/uploadSourceCode`, SOURCE)).body,
        "source",
      );
      return VERSION;
    },
    body: { filename: SOURCE.filename, codeHash: SOURCE.payloadHash },
    answer: { requestId: expect.any(String) },
  },
  getPackSourceCode: { path: VERSION, answer: { files: [] } },
  leavePack: {
    path: async (test, packId) => {
      await test.write("POST", `/packs/${packId}/permissions`, {
        principal: { type: "user", email: "first.owner@service.example" },
        access: "edit",
      });
      return {};
    },
    answer: {},
  },
  getPackFeaturedDocs: {
    path: async (test, packId) => {
      const { browserLink } = (await test.send("/docs/demoDoc001")).body;
      const items = [{ url: browserLink, isPinned: true }, { url: "https://other.example/" }];
      await test.write("PUT", `/packs/${packId}/featuredDocs`, { items });
      return {};
    },
    answer: {
      items: [
        { doc: { id: "demoDoc001", type: "doc" }, isPinned: true },
        {
          docStatus: "docInaccessibleOrDoesNotExist",
          isPinned: false,
          publishedUrl: "https://other.example/",
        },
      ],
    },
  },
  setPackFeaturedDocs: { body: { items: [] }, answer: {} },
  getPackListingDraft: { answer: {} },
  setPackListingDraft: {
    body: { listingData: { name: "Draft" } },
    answer: { listingData: { name: "Draft" } },
  },
  deletePackListingDraft: { answer: {} },
  listPackReviews: { answer: { items: [] } },
  createPackReview: {
    body: { packVersion: "1.0.0" },
    answer: { packReviewId: expect.any(String) },
  },
  cancelPackReview: {
    path: async (test, packId) => {
      await test.write("POST", `/packs/${packId}/reviews`, {});
      return {};
    },
    answer: {},
  },
  listPackLogs: { path: { docId: "demoDoc001" }, answer: { items: [] } },
  listGroupedPackLogs: {
    path: { docId: "demoDoc001" },
    answer: { items: [], incompleteRelatedLogs: false },
  },
  getPackConfigurationSchema: { answer: { type: "object" } },
};

async function invitation(test: ServiceUnderTest, packId: number) {
  return {
    invitationId: await postForId(test, `/packs/${packId}/invitations`, "invitationId", {
      email: "x@tasks.example",
      access: "edit",
    }),
  };
}

/** What the rules find in an upload is tested elsewhere, and takes a sandbox for each. */
const WITHOUT_RULES = {
  ...createPackChecks(),
  validate: async () => ({ errors: [], warnings: [] }),
};

const keys = makeTemporaryFolder();
afterAll(() => keys[Symbol.dispose]());

onEachDatabase("operations of the registry", (start, { isServer }) => {
  const cases = Object.entries(CASES) as [RegistryOperationId, Case][];
  it.each(isServer ? chooseCases(cases, 4) : cases)(
    "%s answers as its model says",
    async (id, { path = {}, body, answer }) => {
      await using test = await start({
        secretsKeyFile: join(keys.path, "service.key"),
        packChecks: WITHOUT_RULES,
      });
      const packId = await createTestPack(test);
      await uploadVersion(test, packId, "1.0.0");
      const { method, path: template } = REGISTRY_OPERATIONS[id];
      const values: Record<string, string> = {
        packId: String(packId),
        ...(typeof path === "function" ? await path(test, packId) : path),
      };
      const url = template.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(values[name] ?? ""),
      );
      const response = await (method === "GET" ? test.send(url) : test.write(method, url, body));
      expect(response.body).toMatchObject(answer);
      expect(response.status).toBe(200);
      expect(REGISTRY_MODELS[id].response.safeParse(response.body).success).toBe(true);
      expect((await test.send(url, { method, token: "wrong" })).status).toBe(401);
    },
  );

  it("access: a stranger gets 404, a viewer 403, an editor may upload, and only an admin may share or delete", async () => {
    const seed = {
      users: ["ada", "grace"].map((name) => ({ name, email: `${name}@tasks.example` })),
      tokens: [{ token: "token-of-grace", user: "grace@tasks.example" }],
      docs: [],
    };
    await using test = await start({ seed });
    const packId = await createTestPack(test);
    const asGrace = async (method: string, path: string, body?: unknown) =>
      (await test.write(method, `/packs/${packId}${path}`, body, "token-of-grace")).status;
    const share = (access: string) =>
      test.write("POST", `/packs/${packId}/permissions`, {
        principal: { type: "user", email: "GRACE@tasks.example" },
        access,
      });
    expect(await asGrace("GET", "")).toBe(404);
    await share("view");
    expect(await asGrace("GET", "")).toBe(403);
    await share("edit");
    expect(await asGrace("GET", "")).toBe(200);
    expect(await asGrace("PATCH", "", { name: "Renamed" })).toBe(200);
    expect(
      await asGrace("POST", "/permissions", { principal: { type: "worldwide" }, access: "view" }),
    ).toBe(403);
    expect(await asGrace("DELETE", "")).toBe(403);
    await share("admin");
    expect(await asGrace("DELETE", "")).toBe(200);
    expect((await test.send(`/packs/${packId}`)).status).toBe(404);
    // The number of a Pack that was deleted is not used again.
    expect(await createTestPack(test)).toBe(packId + 1);
  });

  it("an invitation is shown to its person only, gives its access when accepted, and then is gone", async () => {
    const seed = {
      users: ["ada", "grace"].map((name) => ({ name, email: `${name}@tasks.example` })),
      tokens: [{ token: "token-of-grace", user: "grace@tasks.example" }],
      docs: [],
    };
    await using test = await start({ seed, packChecks: WITHOUT_RULES });
    const packId = await createTestPack(test);
    await uploadVersion(test, packId, "1.0.0");
    const invite = async () => {
      const body = { email: "Grace@tasks.example", access: "edit" };
      return await postForId(test, `/packs/${packId}/invitations`, "invitationId", body);
    };
    const asGrace = async (path: string, options: object = {}) =>
      await test.send(path, { token: "token-of-grace", ...options });
    const reply = (id: string, accept: boolean) =>
      test.write("POST", `/packs/invitations/${id}/reply`, { accept }, "token-of-grace");
    const declined = await invite();
    expect((await test.send("/packs/invitations")).body["items"]).toEqual([]);
    expect((await asGrace("/packs/invitations")).body["items"]).toMatchObject([
      {
        invitation: { invitationId: declined, packId, access: "edit" },
        pack: { id: packId, name: "Tasks" },
        makers: [{ loginId: "ada@tasks.example" }],
        networkDomains: [],
      },
    ]);
    expect(
      (await test.write("POST", `/packs/invitations/${declined}/reply`, { accept: true })).status,
    ).toBe(404);
    expect((await reply(declined, false)).body).toEqual({});
    expect((await asGrace(`/packs/${packId}`)).status).toBe(404);
    const accepted = await invite();
    expect((await reply(accepted, true)).status).toBe(200);
    expect((await asGrace(`/packs/${packId}`)).status).toBe(200);
    expect((await reply(accepted, true)).status).toBe(404);
    expect((await test.send(`/packs/${packId}/invitations`)).body["items"]).toEqual([]);
  });

  it("a listing shows its images by addresses that need no token, and refuses an image that was not uploaded", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    const assetId = await announced(test, packId);
    const set = (logo: object) => test.write("PATCH", `/packs/${packId}`, { logo });
    expect((await set({ assetId, filename: "logo.png" })).status).toBe(400);
    await test.write("POST", `/packs/${packId}/assets/${assetId}/assetType/logo/uploadComplete`);
    const { body } = await set({ assetId, filename: "logo.png" });
    const image = await fetch(String(body["logoUrl"]));
    expect([image.headers.get("content-type"), Buffer.from(await image.arrayBuffer())]).toEqual([
      "image/png",
      PNG,
    ]);
    expect(
      (await fetch(String(body["logoUrl"]).replace("image%2Fpng", "text%2Fhtml"))).status,
    ).toBe(403);
  });

  it("a reset forgets Packs, a snapshot keeps them", async () => {
    await using test = await start();
    await createTestPack(test);
    await test.control("/snapshot", { name: "one" });
    await test.control("/reset", {});
    expect((await test.send("/packs")).body["items"]).toEqual([]);
    await test.control("/restore", { name: "one" });
    expect((await test.send("/packs")).body["items"]).toMatchObject([{ id: 1001 }]);
  });

  it("lists Packs by access, workspace and order", async () => {
    await using test = await start();
    for (const name of ["b", "a", "c"]) await createTestPack(test, { name });
    const names = async (query: string) =>
      ((await test.send(`/packs?${query}`)).body["items"] as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names("")).toEqual(["b", "a", "c"]);
    expect(await names("sortBy=title")).toEqual(["a", "b", "c"]);
    expect(await names("sortBy=title&direction=descending")).toEqual(["c", "b", "a"]);
    expect(await names("onlyWorkspaceId=ws-other")).toEqual([]);
    const { body } = await test.send("/packs?sortBy=title&direction=descending&limit=2");
    expect(await names(`pageToken=${encodeURIComponent(String(body["nextPageToken"]))}`)).toEqual([
      "a",
    ]);
    expect((await test.send("/packs?accessType=owner")).status).toBe(400);
  });

  it("leaves public Packs out of a list only when the caller asks for it", async () => {
    await using test = await start();
    await createTestPack(test, { name: "private" });
    const packId = await createTestPack(test, { name: "public" });
    const permission = { principal: { type: "worldwide" }, access: "view" };
    await test.write("POST", `/packs/${packId}/permissions`, permission);
    const listNames = async (query: string) =>
      (await test.send(`/packs?${query}`)).body["items"] as { name: string }[];
    const [isPublic, isPrivate] = [{ name: "public" }, { name: "private" }];
    expect(await listNames("")).toMatchObject([isPrivate, isPublic]);
    expect(await listNames("excludePublicPacks=false")).toMatchObject([isPrivate, isPublic]);
    expect(await listNames("excludePublicPacks=true")).toMatchObject([isPrivate]);
  });
});

describe("secrets of the registry", () => {
  it("are encrypted in the database, with a key in a file that only its user can read, and survive a restart", async () => {
    using folder = makeTemporaryFolder();
    const database = join(folder.path, "docs.db");
    {
      await using test = await startTestService({ database });
      const packId = await createTestPack(test);
      await test.write("PUT", `/packs/${packId}/oauthConfig`, {
        clientId: "client",
        clientSecret: SECRET,
      });
    }
    expect(readFileSync(database).includes(SECRET)).toBe(false);
    for (const suffix of ["-wal", ".key"])
      if (existsSync(database + suffix))
        expect(readFileSync(database + suffix).includes(SECRET)).toBe(false);
    expect(statSync(`${database}.key`).mode & 0o777).toBe(0o600);
    await using again = await startTestService({ database });
    expect((await again.send("/packs/1001/oauthConfig")).body).toMatchObject({
      maskedClientSecret: "••••••••6789",
    });
  });

  it("are encrypted with the key of a file, or with that of the database", async () => {
    const { openRegistrySecrets } = await import(
      "../../../../src/service/local/registry/registry-secrets.ts"
    );
    const url = "postgres://127.0.0.1/x";
    const shared = Buffer.alloc(32, 1);
    const secrets = openRegistrySecrets(url, shared, undefined);
    const other = openRegistrySecrets(url, shared, undefined);
    expect(other.open(1, "oauth", secrets.seal(1, "oauth", { a: 1 }))).toEqual({ a: 1 });
    using folder = makeTemporaryFolder();
    const keyed = openRegistrySecrets(url, shared, join(folder.path, "key"));
    expect(() => secrets.open(1, "oauth", keyed.seal(1, "oauth", {}))).toThrow(
      expect.objectContaining({ status: 500 }),
    );
    const sealed = keyed.seal(1, "oauth", { a: 1 });
    expect(keyed.open(1, "oauth", sealed)).toEqual({ a: 1 });
    expect(() => keyed.open(2, "oauth", sealed)).toThrow(expect.objectContaining({ status: 500 }));
  });
});
