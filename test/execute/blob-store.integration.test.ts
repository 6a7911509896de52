import { describe, expect, it } from "vitest";
import { createBlobStore } from "../../src/execute/blob-store.ts";

const BYTES = Buffer.from("<script>alert(1)</script>");

describe("createBlobStore", () => {
  it("serves what was stored on this machine alone, and never as a page that runs", async () => {
    await using store = createBlobStore();
    const url = await store.store(BYTES, { contentType: "text/html" });
    expect(new URL(url).hostname).toBe("127.0.0.1");
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(BYTES);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^sandbox;/),
    });
    expect((await fetch(url, { method: "HEAD" })).headers.get("content-length")).toBe(
      String(BYTES.length),
    );
  });

  it("forgets a blob after 15 minutes, or when it was told to", async () => {
    let now = 1_000;
    await using store = createBlobStore({ now: () => now });
    const usual = await store.store(BYTES, { contentType: "image/png" });
    const short = await store.store(BYTES, { contentType: "image/png", expiryMs: 1_000 });
    now += 1_000;
    expect([store.has(usual), store.has(short), (await fetch(short)).status]).toEqual([
      true,
      false,
      404,
    ]);
    now += 15 * 60_000;
    expect((await fetch(usual)).status).toBe(404);
  });

  it("gives each blob a URL that nobody can guess, and answers nothing else", async () => {
    await using store = createBlobStore();
    const urls = await Promise.all(
      [1, 2, 3].map(() => store.store(BYTES, { contentType: "image/png" })),
    );
    expect(new Set(urls).size).toBe(3);
    for (const url of urls) expect(new URL(url).pathname).toMatch(/^\/blobs\/[\w-]{24}$/);
    const { origin } = new URL(urls[0] ?? "");
    for (const path of ["/", "/blobs/", "/blobs/__proto__", "/blobs/..%2f"])
      expect((await fetch(origin + path)).status).toBe(404);
    expect((await fetch(urls[0] ?? "", { method: "POST" })).status).toBe(404);
  });

  it.each([
    ["photo.png", "attachment; filename=\"photo.png\"; filename*=UTF-8''photo.png"],
    [
      'a"b\r\nSet-Cookie: x=1',
      "attachment; filename=\"a_b__Set-Cookie_ x_1\"; filename*=UTF-8''a%22b%0D%0ASet-Cookie%3A%20x%3D1",
    ],
    [
      "übersicht (1).pdf",
      "attachment; filename=\"_bersicht (1).pdf\"; filename*=UTF-8''%C3%BCbersicht%20%281%29.pdf",
    ],
  ])("lets a browser save it as %j", async (downloadFilename, expected) => {
    await using store = createBlobStore();
    const url = await store.store(BYTES, { contentType: "application/pdf", downloadFilename });
    expect((await fetch(url)).headers.get("content-disposition")).toBe(expected);
  });

  it.each([
    ["no media type", { contentType: "png" }],
    ["a media type with a line break", { contentType: "image/png\r\nx: y" }],
    ["a lifetime of nothing", { contentType: "image/png", expiryMs: 0 }],
    ["a lifetime of more than a day", { contentType: "image/png", expiryMs: 86_400_001 }],
    ["a lifetime that is no number", { contentType: "image/png", expiryMs: Number.NaN }],
  ])("refuses %s", async (_, options) => {
    await using store = createBlobStore();
    await expect(store.store(BYTES, options)).rejects.toMatchObject({ code: "BLOB_REFUSED" });
  });

  it("holds no more than its limits, and takes new blobs when older ones have expired", async () => {
    let now = 0;
    await using store = createBlobStore({ now: () => now, maxBlobBytes: 100, maxBytes: 150 });
    await expect(
      store.store(new Uint8Array(101), { contentType: "image/png" }),
    ).rejects.toMatchObject({ code: "BLOB_REFUSED" });
    await store.store(new Uint8Array(100), { contentType: "image/png" });
    await expect(
      store.store(new Uint8Array(51), { contentType: "image/png" }),
    ).rejects.toMatchObject({ code: "BLOB_REFUSED" });
    now += 15 * 60_000;
    await store.store(new Uint8Array(51), { contentType: "image/png" });
  });
});
