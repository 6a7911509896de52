import { expect, it } from "vitest";
import { sha256 } from "../../../../src/shared/crypto.ts";
import { onEachDatabase, type ServiceUnderTest } from "../../support.ts";
import { createTestPack, putUpload, uploadVersion, writeUpload } from "./uploads.ts";

const HELLO = { name: "Hello", description: "Greets.", parameters: [], resultType: 0 };

onEachDatabase("versions of the registry", (start) => {
  // docs/rules.md: P3, P10, P11, P12
  it("a version is registered, uploaded, validated and listed, the newest first", async () => {
    await using test = await start();
    const packId = await createTestPack(test, { name: "Greetings" });
    await uploadVersion(test, packId, "1.0.0");
    await uploadVersion(test, packId, "1.1.0", { notes: "second" });
    const { body } = await test.send(`/packs/${packId}/versions?limit=1`);
    expect(body).toMatchObject({
      items: [
        {
          packVersion: "1.1.0",
          buildNotes: "second",
          sdkVersion: "1.17.5",
          source: "cli",
          creationUserLoginId: "first.owner@service.example",
        },
      ],
      creationUsers: [{ loginId: "first.owner@service.example" }],
      nextPageToken: expect.any(String),
    });
    const rest = await test.send(
      `/packs/${packId}/versions?pageToken=${encodeURIComponent(String(body["nextPageToken"]))}`,
    );
    expect(rest.body).toMatchObject({ items: [{ packVersion: "1.0.0" }] });
    expect(rest.body["nextPageToken"]).toBeUndefined();
  });

  // docs/rules.md: P10
  it("a version that exists, or that is not a version, is refused", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    await uploadVersion(test, packId, "1.0.0");
    const body = { bundleHash: sha256("x", "hex") };
    const again = await test.write("POST", `/packs/${packId}/versions/1.0.0/register`, body);
    expect([again.status, again.body["message"]]).toEqual([
      400,
      "Version 1.0.0 of the Pack already exists.",
    ]);
    expect((await test.write("POST", `/packs/${packId}/versions/one/register`, body)).status).toBe(
      400,
    );
    expect(
      (await test.write("POST", `/packs/${packId}/versions/1.0.1/register`, { bundleHash: "12" }))
        .status,
    ).toBe(400);
  });

  // docs/rules.md: P11
  it("an upload with another hash, without its header, with a token, with a changed or an expired address is refused", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    const payload = writeUpload({ version: "1.0.0" });
    const registered = await test.write("POST", `/packs/${packId}/versions/1.0.0/register`, {
      bundleHash: sha256(payload, "hex"),
    });
    const { uploadUrl, headers } = registered.body as {
      uploadUrl: string;
      headers: Record<string, string>;
    };
    const put = async (url: string, body: string, sent: Record<string, string>) => {
      const answer = await fetch(url, { method: "PUT", body, headers: sent });
      expect(answer.headers.get("content-type")).toBe("application/xml");
      expect(await answer.text()).toMatch(
        /^<\?xml [^>]*>\n<Error><Code>(?:AccessDenied|InvalidRequest)<\/Code><Message>[^<]+<\/Message><\/Error>$/,
      );
      return answer.status;
    };
    expect(await put(uploadUrl, `${payload} `, headers)).toBe(400);
    expect(await put(uploadUrl, payload.slice(1), headers)).toBe(400);
    expect(await put(uploadUrl, payload, {})).toBe(403);
    expect(
      await put(uploadUrl, payload, { ...headers, authorization: `Bearer ${test.service.token}` }),
    ).toBe(403);
    expect(await put(uploadUrl.replace("version-1.0.0", "version-1.0.1"), payload, headers)).toBe(
      403,
    );
    expect(
      await put(uploadUrl.replace(/expires=\d+/, "expires=99999999999999"), payload, headers),
    ).toBe(403);
    const early = await test.write("POST", `/packs/${packId}/versions/1.0.0/uploadComplete`, {});
    expect([early.status, early.body["message"]]).toEqual([
      400,
      "The upload is missing. Send the file to the upload URL first.",
    ]);
    await test.control("/clock", { advanceMs: 16 * 60_000 });
    expect(await put(uploadUrl, payload, headers)).toBe(403);
  });

  // docs/rules.md: P11
  it("an upload above the size limit is refused before it is read", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    const body = "x".repeat(32_000_001);
    const registered = await test.write("POST", `/packs/${packId}/versions/1.0.0/register`, {
      bundleHash: sha256(body, "hex"),
    });
    expect((await putUpload(registered.body, body)).status).toBe(400);
  });

  // docs/rules.md: P12
  it("problems of the Pack are answered with their paths, and the version stays free", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    const broken = { version: "1.0.0", formulas: [{ ...HELLO, name: "Not a name" }] };
    const refused = await uploadVersion(test, packId, "1.0.0", { metadata: broken });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      {
        codaDetail: {
          validationErrors: [
            { path: "formulas[0].name", message: expect.stringContaining("Not a name") },
          ],
        },
      },
    ]);
    expect((await uploadVersion(test, packId, "1.0.0")).status).toBe(200);
  });

  // docs/rules.md: C50
  it.each(["eval('1')", "new Function('return 1')"])(
    "a bundle with %s is refused",
    async (text) => {
      await using test = await start();
      const packId = await createTestPack(test);
      const refused = await uploadVersion(test, packId, "1.0.0", {
        code: `exports.answer = () => ${text};`,
      });
      expect(refused.body).toMatchObject({
        codaDetail: {
          validationErrors: [{ path: "", message: expect.stringContaining(text.slice(0, 5)) }],
        },
      });
    },
  );

  // docs/rules.md: P12
  it("an upload that is not JSON, has no bundle, has another version or does not load is refused", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    const refusal = async (payload: string) =>
      (await uploadVersion(test, packId, "1.0.0", { payload })).body["codaDetail"];
    expect(await refusal("{")).toEqual({
      validationErrors: [{ path: "", message: "The upload is not JSON." }],
    });
    expect(await refusal("{}")).toMatchObject({
      validationErrors: expect.arrayContaining([expect.objectContaining({ path: "bundle" })]),
    });
    const numeric = { ...JSON.parse(writeUpload({ version: "1.0.0" })), bundle: 5 };
    expect(await refusal(JSON.stringify(numeric))).toMatchObject({
      validationErrors: [{ path: "bundle" }],
    });
    expect(await refusal(writeUpload({ version: "2.0.0" }))).toMatchObject({
      validationErrors: [{ path: "version" }],
    });
    expect(
      await refusal(writeUpload({ version: "1.0.0" }, { bundle: "throw new Error('no')" })),
    ).toMatchObject({
      validationErrors: [{ path: "", message: expect.any(String) }],
    });
  });

  // docs/rules.md: P12
  it("an older SDK version than that of the newest version is refused, unless it is allowed", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    await uploadVersion(test, packId, "1.0.0", { sdkVersion: "1.10.0" });
    const older = await uploadVersion(test, packId, "1.0.1", { sdkVersion: "1.9.9" });
    expect([older.status, older.body["message"]]).toEqual([
      400,
      "The SDK version 1.9.9 is older than 1.10.0, the SDK version of the newest version of the Pack.",
    ]);
    expect(
      (
        await uploadVersion(test, packId, "1.0.1", {
          sdkVersion: "1.9.9",
          allowOlderSdkVersion: true,
        })
      ).status,
    ).toBe(200);
  });

  // docs/rules.md: P8, P9
  it("the next version and the difference follow from our own comparison", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    const next = async (metadata: object) =>
      (
        await test.write("POST", `/packs/${packId}/nextVersion`, {
          proposedMetadata: JSON.stringify({ formulaNamespace: "Deprecated", ...metadata }),
        })
      ).body;
    expect(await next({ formulas: [] })).toEqual({
      nextVersion: "1",
      findings: [],
      findingDetails: [],
    });
    await uploadVersion(test, packId, "1.0.0", {
      metadata: { version: "1.0.0", formulas: [HELLO] },
    });
    expect(await next({ formulas: [HELLO] })).toMatchObject({ nextVersion: "1.0.1", findings: [] });
    const added = { ...HELLO, name: "Bye" };
    expect(await next({ formulas: [HELLO, added] })).toEqual({
      nextVersion: "1.1.0",
      findings: ["formula Bye: added"],
      findingDetails: [{ finding: "formula Bye: added", path: "formulas[1]" }],
    });
    expect(await next({ formulas: [] })).toMatchObject({
      nextVersion: "2.0.0",
      findingDetails: [{ finding: "formula Hello: removed", path: "formulas[0]" }],
    });
    await uploadVersion(test, packId, "1.1.0", {
      metadata: { version: "1.1.0", formulas: [HELLO, added] },
    });
    expect((await test.send(`/packs/${packId}/versions/1.0.0/diff/1.1.0`)).body).toMatchObject({
      findings: ["formula Bye: added"],
    });
    expect((await test.send(`/packs/${packId}/versions/1.0.0/diff/9.0.0`)).status).toBe(404);
    for (const proposedMetadata of ["", "[]", "null"])
      expect(
        (await test.write("POST", `/packs/${packId}/nextVersion`, { proposedMetadata })).status,
      ).toBe(400);
  });

  // docs/rules.md: P13, P14, P15
  it("releases count up, keep their notes, and never return to an older version", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    for (const version of ["1.0.0", "1.1.0-prerelease.2", "1.1.0"])
      await uploadVersion(test, packId, version);
    const release = async (packVersion: string, releaseNotes?: string) =>
      await test.write("POST", `/packs/${packId}/releases`, { packVersion, releaseNotes });
    expect((await release("1.1.0-prerelease.2", "first")).body).toMatchObject({
      releaseId: 1,
      packVersion: "1.1.0-prerelease.2",
      releaseNotes: "first",
    });
    expect((await release("1.1.0")).body).toMatchObject({ releaseId: 2, packVersion: "1.1.0" });
    for (const older of ["1.0.0", "1.1.0-prerelease.2", "1.1.0"])
      expect(await release(older)).toMatchObject({
        status: 400,
        body: { message: `Version ${older} is not newer than 1.1.0, the current release.` },
      });
    expect((await release("3.0.0")).status).toBe(404);
    expect(
      (await test.write("PUT", `/packs/${packId}/releases/1`, { releaseNotes: "better" })).body,
    ).toMatchObject({
      releaseNotes: "better",
    });
    expect((await test.send(`/packs/${packId}/releases`)).body).toMatchObject({
      items: [{ releaseId: 2 }, { releaseId: 1, releaseNotes: "better" }],
    });
    expect((await test.send(`/packs/${packId}/versions`)).body).toMatchObject({
      items: [
        { packVersion: "1.1.0", releaseId: 2 },
        { packVersion: "1.1.0-prerelease.2", releaseId: 1 },
        { packVersion: "1.0.0" },
      ],
    });
  });

  it("a review has the version that it was asked for, and a newer one takes its place", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    await uploadVersion(test, packId, "1.0.0");
    const reviews = `/packs/${packId}/reviews`;
    const ask = async (body: object) =>
      (await test.write("POST", reviews, body)).body["packReviewId"];
    const first = await ask({ packVersion: "1.0.0" });
    const second = await ask({});
    const { items } = (await test.send(reviews)).body as { items: Record<string, unknown>[] };
    expect(items).toHaveLength(2);
    const [one, other] = items.toSorted((a) => (a["packReviewId"] === first ? -1 : 1));
    expect(one).toMatchObject({ packVersion: "1.0.0", packReviewStatus: "superseded" });
    expect(other).toMatchObject({ packReviewId: second, packReviewStatus: "pending" });
    expect(other).not.toHaveProperty("packVersion");
  });

  it("two uploads of one version at once: one is kept, the other is told that the version exists", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    const answers = await Promise.all([
      uploadVersion(test, packId, "1.0.0"),
      uploadVersion(test, packId, "1.0.0"),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await listVersions(test, packId)).length).toBe(1);
  });

  it("two releases at once: each has its own number, or is told that a newer one was made", async () => {
    await using test = await start();
    const packId = await createTestPack(test);
    const versions = ["1.0.0", "1.1.0", "1.2.0"];
    for (const version of versions) await uploadVersion(test, packId, version);
    const answers = await Promise.all(
      versions.map((packVersion) =>
        test.write("POST", `/packs/${packId}/releases`, { packVersion }),
      ),
    );
    const made = answers.filter(({ status }) => status === 200);
    const { body } = await test.send(`/packs/${packId}/releases`);
    expect(body["items"]).toHaveLength(made.length);
    expect(new Set(made.map((answer) => answer.body["releaseId"])).size).toBe(made.length);
    expect(body["items"]).toMatchObject([
      { packVersion: "1.2.0" },
      ...made.slice(1).map(() => ({})),
    ]);
  });
});

async function listVersions(test: ServiceUnderTest, packId: number): Promise<unknown[]> {
  return (await test.send(`/packs/${packId}/versions`)).body["items"] as unknown[];
}
