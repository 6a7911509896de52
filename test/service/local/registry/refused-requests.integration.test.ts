import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceUnderTest, startTestService } from "../../support.ts";
import { createTestPack, uploadVersion } from "./uploads.ts";

// docs/service.md: what the description of an operation does not list is refused.
type Row = readonly [what: string, method: string, path: string, body?: unknown];

const HASH = "0".repeat(64);
const image = { assetId: "a", filename: "a.png" };
const rate = { intervalSeconds: 60, operationsPerInterval: 1 };

/** Below `/packs/ID`, except those that begin with a slash. */
const REFUSED: readonly Row[] = [
  ["an unknown parameter of a list", "GET", "versions?sort=up"],
  ["a limit of 0", "GET", "versions?limit=0"],
  ["a limit that is there twice", "GET", "releases?limit=1&limit=2"],
  ["a parameter where there are none", "GET", "?limit=1"],
  ["an access that does not exist", "GET", "/packs?accessTypes=edit,owner"],
  ["a list in another form", "GET", "/packs?accessTypes[0]=edit"],
  ["a product that does not exist", "GET", "/packs?packEntrypoint=maps"],
  ["an unknown member of a new Pack", "POST", "/packs", { title: "x" }],
  ["a name that is too long", "POST", "/packs", { name: "x".repeat(129) }],
  ["a copy of a Pack that is not there", "POST", "/packs", { sourcePackId: 999_999 }],
  ["no body where all members are optional", "POST", "versions/1/uploadComplete"],
  ["an unknown member of a change", "PATCH", "", { tagline: "x" }],
  ["a name without letters", "PATCH", "", { name: " " }],
  ["a short description that is too long", "PATCH", "", { shortDescription: "x".repeat(257) }],
  ["a description that is too long", "PATCH", "", { description: "x".repeat(8_193) }],
  ["a text that is null", "PATCH", "", { supportEmail: null }],
  ["an image with altText", "PATCH", "", { exampleImages: [{ ...image, altText: "x" }] }],
  ["an image with its address", "PATCH", "", { logo: { ...image, imageUrl: "https://a" } }],
  ["a limit below zero", "PATCH", "", { overallRateLimit: { ...rate, operationsPerInterval: -1 } }],
  ["a limit of two days", "PATCH", "", { overallRateLimit: { ...rate, intervalSeconds: 172_800 } }],
  ["metadata that is not a text", "POST", "nextVersion", { proposedMetadata: {} }],
  ["a digest of another length", "POST", "versions/2/register", { bundleHash: "00" }],
  ["a version of four numbers", "POST", "versions/1.2.3.4/register", { bundleHash: HASH }],
  ["a version that is too high", "POST", "versions/2147483648/register", { bundleHash: HASH }],
  ["a version that is not above all", "POST", "versions/0.9/register", { bundleHash: HASH }],
  ["the same version in other words", "POST", "versions/1.0/register", { bundleHash: HASH }],
  ["a source that does not exist", "POST", "versions/2/uploadComplete", { source: "page" }],
  ["a release with another member", "POST", "releases", { packVersion: "1", draft: true }],
  ["OAuth credentials with another member", "PUT", "oauthConfig", { scopes: "read" }],
  ["a connection without its wrapper", "PUT", "systemConnection", { type: "header", token: "x" }],
  [
    "a change of a connection in the wrapper",
    "PATCH",
    "systemConnection",
    { credentials: { type: "header", token: "x" } },
  ],
  [
    "a secret that is too long",
    "PUT",
    "systemConnection",
    {
      credentials: {
        type: "oauth2ClientCredentials",
        clientId: "x",
        clientSecret: "x".repeat(513),
      },
    },
  ],
  [
    "a key of a service account in a change",
    "PATCH",
    "systemConnection",
    { type: "googleServiceAccount", serviceAccountKey: "x".repeat(513) },
  ],
  [
    "a principal that does not exist",
    "POST",
    "permissions",
    { principal: { type: "organization", organizationId: "x" }, access: "view" },
  ],
  [
    "everybody with another member",
    "POST",
    "permissions",
    { principal: { type: "worldwide", email: "a@b.example" }, access: "view" },
  ],
  [
    "an institution whose id is a text",
    "POST",
    "permissions",
    {
      principal: { type: "grammarlyInstitution", grammarlyInstitutionId: "1" },
      access: "view",
    },
  ],
  ["an invitation without access", "POST", "invitations", { email: "a@b.example" }],
  ["a category with its id", "POST", "category", { categoryName: "Design", categoryId: "x" }],
  [
    "an asset of another kind",
    "POST",
    "uploadAsset",
    { packAssetType: "icon", imageHash: HASH, mimeType: "image/png", filename: "a.png" },
  ],
  ["a body where there is none", "POST", "assets/a/assetType/logo/uploadComplete", {}],
  ["a draft with limits", "PUT", "listingDraft", { listingData: { overallRateLimit: rate } }],
  [
    "a draft with new images as examples",
    "PUT",
    "listingDraft",
    { listingData: { exampleImages: [image] } },
  ],
  ["a review with notes that are too long", "POST", "reviews", { releaseNotes: "x".repeat(8_193) }],
  ["a status of reviews that does not exist", "GET", "reviews?status=lost"],
];

/** These do not list what is wrong. */
const WITHOUT_DETAIL =
  /^(?:GET \/packs\?|POST \/packs$|PATCH $|GET \?|POST .*\/register$|GET reviews)/;

describe("requests that the description of the registry does not allow", () => {
  let test: ServiceUnderTest;
  let packId = 0;
  beforeAll(async () => {
    test = await startTestService();
    packId = await createTestPack(test);
    expect((await uploadVersion(test, packId, "1")).status).toBe(200);
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it.each(REFUSED)("%s is refused: %s %s", async (...row) => {
    const [, method, path, body] = row as unknown as Row;
    const address = path.startsWith("/")
      ? path
      : `/packs/${packId}${path === "" || path.startsWith("?") ? "" : "/"}${path}`;
    const refused = await test.write(method, address, body);
    expect(refused.body).toMatchObject({ statusCode: 400, message: expect.any(String) });
    if (WITHOUT_DETAIL.test(`${method} ${path}`))
      expect(refused.body).not.toHaveProperty("codaDetail");
  });

  it("with a page token, other parameters are passed over, and unknown ones are not", async () => {
    await uploadVersion(test, packId, "2", {
      metadata: { version: "2" },
    });
    const first = await test.send(`/packs/${packId}/versions?limit=1`);
    const token = encodeURIComponent(String(first.body["nextPageToken"]));
    const next = await test.send(`/packs/${packId}/versions?limit=0&pageToken=${token}`);
    expect(next.body).toMatchObject({ items: [{ packVersion: "1" }] });
    const refused = await test.send(`/packs/${packId}/versions?sort=up&pageToken=${token}`);
    expect(refused.status).toBe(400);
  });

  it("what users notice needs a higher minor version, and what breaks a higher major one", async () => {
    const id = await createTestPack(test);
    const formula = (name: string) => ({
      name,
      description: "Greets.",
      parameters: [],
      resultType: 0,
    });
    const upload = async (version: string, ...names: string[]) =>
      await uploadVersion(test, id, version, {
        metadata: { version, formulas: names.map(formula) },
      });
    expect((await upload("1.0.0", "Hello")).status).toBe(200);
    for (const [version, needed, ...names] of [
      ["1.0.1", "1.1.0", "Hello", "Bye"],
      ["1.2.0", "2.0.0", "Bye"],
    ] as const) {
      expect((await upload(version, ...names)).body).toMatchObject({
        statusCode: 400,
        codaDetail: {
          validationErrors: [{ message: expect.stringContaining(`requires version ${needed}`) }],
        },
      });
      expect((await upload(needed, ...names)).status).toBe(200);
    }
    // Versions of one number each are as high as any change needs.
    expect((await upload("3", "Bye")).status).toBe(200);
  });

  const oauth = (authorizationUrl: string, tokenUrl: string) => ({
    defaultAuthentication: { type: "OAuth2", authorizationUrl, tokenUrl },
    networkDomains: ["tasks.example"],
  });
  it.each<[what: string, path: string, metadata: object]>([
    ["several network domains", "networkDomains", { networkDomains: ["a.example", "b.example"] }],
    [
      "OAuth2 URLs on two domains",
      "defaultAuthentication",
      oauth("https://login.tasks.example/authorize", "https://tokens.example/token"),
    ],
    [
      "custom authentication",
      "systemConnectionAuthentication",
      {
        systemConnectionAuthentication: { type: "Custom", params: [] },
        networkDomains: ["tasks.example"],
      },
    ],
  ])("a version with %s is refused until it is approved", async (_, path, members) => {
    const id = await createTestPack(test);
    const upload = () =>
      uploadVersion(test, id, "1", { metadata: { version: "1", formulas: [], ...members } });
    const refused = await upload();
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { codaDetail: { validationErrors: [{ path, message: expect.stringContaining("approv") }] } },
    ]);
    await test.control("/approvals", { packId: id });
    expect((await upload()).status).toBe(200);
  });

  it("OAuth2 URLs on two hosts of one domain need no approval", async () => {
    const id = await createTestPack(test);
    const members = oauth("https://login.tasks.example/a", "https://api.tasks.example/token");
    const metadata = { version: "1", formulas: [], ...members };
    expect((await uploadVersion(test, id, "1", { metadata })).status).toBe(200);
  });

  it("parameters of the Pack's own connection have the names of its definition", async () => {
    const id = await createTestPack(test);
    const systemConnectionAuthentication = { type: "QueryParamToken", paramName: "api_key" };
    const networkDomains = ["tasks.example"];
    await uploadVersion(test, id, "1", {
      metadata: { version: "1", systemConnectionAuthentication, networkDomains },
    });
    const set = async (key: string) => {
      const credentials = { type: "urlParam", params: [{ key, value: "secret-value" }] };
      return await test.write("PUT", `/packs/${id}/systemConnection`, { credentials });
    };
    expect((await set("token")).status).toBe(400);
    expect((await set("api_key")).body).toMatchObject({ presetKeys: ["api_key"] });
  });
});
