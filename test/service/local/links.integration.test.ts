import { expect, it } from "vitest";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";
import { SHARED } from "./seeds.ts";

async function readLink(test: ServiceUnderTest, path: string): Promise<string> {
  return String((await test.send(path)).body["browserLink"]);
}

onEachDatabase("links", (start) => {
  // docs/rules.md: service 109
  it("the browser link of every resource leads back to it", async () => {
    await using test = await start({ seed: SHARED });
    const resolve = async (url: string, more = "", token?: string) =>
      await test.send(
        `/resolveBrowserLink?url=${encodeURIComponent(url)}${more}`,
        token === undefined ? {} : { token },
      );
    const [row] = (await test.send("/docs/shared/tables/grid-one/rows")).body["items"] as {
      id: string;
    }[];
    const paths = {
      doc: "/docs/shared",
      page: "/docs/shared/pages/canvas-below",
      table: "/docs/shared/tables/table-view",
      row: `/docs/shared/tables/grid-one/rows/${row?.id}`,
    };
    for (const [type, path] of Object.entries(paths)) {
      const { body } = await test.send(path);
      const link = String(body["browserLink"]);
      const resolved = await resolve(link);
      expect(resolved.body).toEqual({
        type: "apiLink",
        href: expect.stringContaining("/resolveBrowserLink?url="),
        browserLink: link,
        resource: { type, id: body["id"], name: expect.any(String), href: body["href"] },
      });
      const path109 = new URL(link);
      const canonical = `https://docs.service.example${path109.pathname}${path109.hash}`;
      expect((await resolve(canonical)).body["resource"]).toEqual(resolved.body["resource"]);
      expect((await resolve(link, "", "stranger")).status).toBe(404);
    }
    for (const url of ["https://elsewhere.example/d/_dshared", "no link", ""])
      expect((await resolve(url)).status).toBe(400);
    const origin = new URL(test.service.url).origin;
    for (const path of [
      "/d/_dnone",
      "/d/_dshared/x_sunone",
      "/d/_dshared#x_tunone",
      "/settings",
      "/d/%zz",
    ])
      expect((await resolve(origin + path)).status, path).toBe(404);
    expect((await resolve(origin, "&degradeGracefully=maybe")).status).toBe(400);
  });

  // docs/rules.md: service 109
  it("the link of a deleted row leads to its table, that of a deleted page to its document, when the caller asks for it", async () => {
    await using test = await start({ seed: SHARED });
    const [row] = (await test.send("/docs/shared/tables/grid-one/rows")).body["items"] as {
      id: string;
      browserLink: string;
    }[];
    const page = await readLink(test, "/docs/shared/pages/canvas-below");
    const table = await readLink(test, "/docs/shared/tables/grid-one");
    const resolve = async (url: string | undefined, degrade: boolean) => {
      const { status, body } = await test.send(
        `/resolveBrowserLink?url=${encodeURIComponent(url ?? "")}&degradeGracefully=${degrade}`,
      );
      return status === 200 ? (body["resource"] as { type: string }).type : status;
    };
    await test.send(`/docs/shared/tables/grid-one/rows/${row?.id}`, { method: "DELETE" });
    expect([await resolve(row?.browserLink, false), await resolve(row?.browserLink, true)]).toEqual(
      [404, "table"],
    );
    await test.send("/docs/shared/pages/canvas-below", { method: "DELETE" });
    expect([await resolve(page, false), await resolve(page, true)]).toEqual([404, "doc"]);
    await test.send("/docs/shared/pages/canvas-second", { method: "DELETE" });
    expect([await resolve(table, false), await resolve(table, true)]).toEqual([404, "doc"]);
  });

  it("a token of one table resolves that table and its rows alone", async () => {
    await using test = await start({ seed: SHARED });
    const resolve = async (path: string) =>
      (
        await test.send(
          `/resolveBrowserLink?url=${encodeURIComponent(await readLink(test, path))}`,
          {
            token: "one-table",
          },
        )
      ).status;
    expect(await resolve("/docs/shared/tables/grid-one")).toBe(200);
    expect(await resolve("/docs/shared/tables/grid-two")).toBe(404);
    expect(await resolve("/docs/shared")).toBe(404);
  });

  // docs/rules.md: service 110
  it("links name the host that the caller used, or the public one", async () => {
    await using test = await start({ seed: SHARED });
    const local = test.service.url.replace("127.0.0.1", "localhost");
    const answer = await fetch(`${local}/docs/shared`, {
      headers: { Authorization: `Bearer ${test.service.token}` },
    });
    expect(((await answer.json()) as { href: string }).href).toBe(`${local}/docs/shared`);
    await using published = await start({ seed: SHARED, publicUrl: "https://docs.public.example" });
    const { body } = await published.send("/docs/shared");
    expect([body["href"], body["browserLink"]]).toEqual([
      "https://docs.public.example/apis/v1/docs/shared",
      "https://docs.public.example/d/_dshared",
    ]);
    expect((await published.send(`/resolveBrowserLink?url=${body["browserLink"]}`)).status).toBe(
      200,
    );
  });
});
