import { expect, it } from "vitest";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";
import { SHARED } from "./seeds.ts";

const ACL = "/docs/shared/acl";
const share = (email: string, access = "write") => ({
  access,
  principal: { type: "email", email },
});

interface Permission {
  id: string;
  access: string;
  principal: Record<string, string>;
}

async function listPermissions(test: ServiceUnderTest) {
  return (await test.send(`${ACL}/permissions?limit=99`)).body["items"] as Permission[];
}

onEachDatabase("sharing", (start) => {
  // docs/rules.md: service 83, 84
  it.each([
    ["owner", undefined, { read: 200, write: 202, share: 200, delete: 202 }],
    ["write", "writer", { read: 200, write: 202, share: 200, delete: 403 }],
    ["a group", "grouped", { read: 200, write: 202, share: 200, delete: 403 }],
    ["comment", "commenter", { read: 200, write: 403, share: 403, delete: 403 }],
    ["readonly", "reader", { read: 200, write: 403, share: 403, delete: 403 }],
    ["a domain", "domain", { read: 200, write: 403, share: 403, delete: 403 }],
    ["nobody", "stranger", { read: 404, write: 404, share: 404, delete: 404 }],
    ["a token that reads", "read-only", { read: 200, write: 403, share: 403, delete: 403 }],
    ["a token that writes", "write-only", { read: 403, write: 202, share: 200, delete: 202 }],
    ["a token of one table", "one-table", { read: 200, write: 202, share: 403, delete: 403 }],
  ])(
    "the access of %s decides who may read, write, share and delete",
    async (_, token, allowed) => {
      await using test = await start({ seed: SHARED });
      const rows = "/docs/shared/tables/grid-one/rows";
      const as = async (method: string, path: string, body?: unknown) =>
        (await test.write(method, path, body, token)).status;
      expect({
        read: await as("GET", rows),
        write: await as("POST", rows, { rows: [] }),
        share: await as("POST", `${ACL}/permissions`, share("new@service.example")),
        delete: await as("DELETE", "/docs/shared"),
      }).toEqual(allowed);
    },
  );

  // docs/rules.md: service 83
  it("a token of one document is refused for another", async () => {
    await using test = await start({ seed: SHARED });
    expect((await test.send("/docs/private", { token: "one-doc" })).status).toBe(403);
    expect((await test.send("/docs/shared", { token: "one-doc" })).status).toBe(200);
  });

  // docs/rules.md: service 91
  it("a token that reads may not start an export, and PATCH is a write", async () => {
    await using test = await start({ seed: SHARED });
    const as = async (method: string, path: string, body: unknown) =>
      (await test.write(method, path, body, "read-only")).status;
    expect(await as("POST", "/docs/shared/pages/First/export", { outputFormat: "html" })).toBe(403);
    expect(await as("PATCH", "/docs/shared", { title: "x" })).toBe(403);
  });

  it("shares with people, groups, domains, the workspace and anyone", async () => {
    await using test = await start({ seed: SHARED });
    const add = async (principal: object) =>
      await test.write("POST", `${ACL}/permissions`, { access: "readonly", principal });
    expect(await add({ type: "workspace", workspaceId: "ws-one" })).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await add({ type: "group", groupId: "grp-none" })).status).toBe(400);
    expect((await add({ type: "workspace", workspaceId: "ws-two" })).status).toBe(400);
    expect((await test.send("/docs/shared", { token: "stranger" })).status).toBe(404);
    expect((await add({ type: "anyone" })).status).toBe(200);
    expect((await test.send("/docs/shared", { token: "stranger" })).status).toBe(200);
    expect(
      (await listPermissions(test)).map(
        ({ principal }) => principal["groupName"] ?? principal["type"],
      ),
    ).toEqual([
      ...["email", "email", "email", "email", "email", "Writers", "domain", "workspace", "anyone"],
    ]);
  });

  // docs/rules.md: service 85
  it("sharing with the same principal again changes the access under the same id", async () => {
    await using test = await start({ seed: SHARED });
    const of = async () =>
      (await listPermissions(test)).filter(
        ({ principal }) => principal["email"] === "reader@service.example",
      );
    const before = await of();
    await test.write("POST", `${ACL}/permissions`, {
      ...share("READER@service.example", "comment"),
      suppressEmail: true,
    });
    const after = (await listPermissions(test)).filter(({ principal }) =>
      /^reader@/i.test(principal["email"] ?? ""),
    );
    expect(after).toMatchObject([{ id: before[0]?.id, access: "comment" }]);
  });

  // docs/rules.md: service 86
  it("the permission of the owner cannot be deleted, others can", async () => {
    await using test = await start({ seed: SHARED });
    const [owner, writer] = await listPermissions(test);
    expect(owner).toMatchObject({
      access: "write",
      principal: { type: "email", email: "owner@service.example" },
    });
    const remove = async (id: string | undefined) =>
      (await test.send(`${ACL}/permissions/${id}`, { method: "DELETE" })).status;
    expect([await remove(owner?.id), await remove(writer?.id), await remove(writer?.id)]).toEqual([
      403, 200, 404,
    ]);
    expect((await test.send("/docs/shared", { token: "writer" })).status).toBe(404);
  });

  // docs/rules.md: service 87
  it("only the owner may change permissions when editors may not", async () => {
    await using test = await start({ seed: SHARED });
    const settings = await test.write("PATCH", `${ACL}/settings`, {
      allowEditorsToChangePermissions: false,
    });
    expect(settings.body).toEqual({
      allowEditorsToChangePermissions: false,
      allowCopying: true,
      allowViewersToRequestEditing: true,
    });
    expect((await test.send(`${ACL}/settings`, { token: "reader" })).body).toEqual(settings.body);
    const add = async (token?: string) =>
      (await test.write("POST", `${ACL}/permissions`, share("x@service.example"), token)).status;
    expect([await add("writer"), await add()]).toEqual([403, 200]);
    expect(
      (await test.write("PATCH", `${ACL}/settings`, { allowCopying: true }, "writer")).status,
    ).toBe(403);
  });

  it("says what the caller may do, also with copies", async () => {
    await using test = await start({ seed: SHARED });
    const metadata = async (token?: string) =>
      (await test.send(`${ACL}/metadata`, token === undefined ? {} : { token })).body;
    expect(await metadata()).toEqual({
      canShare: true,
      canShareWithWorkspace: true,
      canShareWithOrg: false,
      canCopy: true,
    });
    expect(await metadata("reader")).toEqual({
      canShare: false,
      canShareWithWorkspace: false,
      canShareWithOrg: false,
      canCopy: true,
    });
    await test.write("PATCH", `${ACL}/settings`, { allowCopying: false });
    expect((await metadata("reader"))["canCopy"]).toBe(false);
    expect((await test.write("POST", "/docs", { sourceDoc: "shared" }, "reader")).status).toBe(403);
    expect((await test.write("POST", "/docs", { sourceDoc: "shared" }, "writer")).status).toBe(202);
  });

  // docs/rules.md: service 88
  it("a search without a text finds no one", async () => {
    await using test = await start({ seed: SHARED });
    const search = async (query: string) =>
      (await test.send(`${ACL}/principals/search${query}`)).body;
    expect(await search("")).toEqual({ users: [], groups: [] });
    expect(await search("?query=")).toEqual({ users: [], groups: [] });
    expect(await search("?query=WRIT")).toEqual({
      users: [
        { name: "Writer", loginId: "writer@service.example", type: "user" },
        { name: "Editing writer", loginId: "editor@service.example", type: "user" },
      ],
      groups: [{ type: "group", groupId: "grp-writers", groupName: "Writers" }],
    });
  });

  it("finds 20 users and 20 groups at most", async () => {
    const users = Array.from({ length: 25 }, (_, at) => ({
      name: `Person ${at}`,
      email: `person${at}@service.example`,
    }));
    const groups = Array.from({ length: 25 }, (_, at) => ({
      name: `Personnel ${at}`,
      members: [],
    }));
    await using test = await start({
      seed: { users, workspace: { name: "W", groups }, docs: [{ id: "shared", title: "S" }] },
    });
    const { body } = await test.send(`${ACL}/principals/search?query=person`);
    expect([(body["users"] as unknown[]).length, (body["groups"] as unknown[]).length]).toEqual([
      20, 20,
    ]);
  });
});

onEachDatabase("publishing", (start) => {
  const PUBLISH = "/docs/shared/publish";

  // docs/rules.md: service 89
  it("an unknown category is refused, settings merge, and a slug that is taken gets a number", async () => {
    await using test = await start({ seed: SHARED });
    const published = async () => (await test.send("/docs/shared")).body["published"];
    expect(await published()).toBeUndefined();
    expect((await test.write("PUT", PUBLISH, { categoryNames: ["None"] })).status).toBe(400);
    const { status, body } = await test.write("PUT", PUBLISH, {
      slug: "starred",
      mode: "play",
      categoryNames: ["Design"],
    });
    expect([status, Object.keys(body)]).toEqual([202, ["requestId"]]);
    expect((await test.send(`/mutationStatus/${body["requestId"]}`)).body).toEqual({
      completed: true,
    });
    await test.write("PUT", PUBLISH, { discoverable: true, earnCredit: true });
    expect(await published()).toEqual({
      browserLink: `${new URL(test.service.url).origin}/@starred-2`,
      discoverable: true,
      earnCredit: true,
      mode: "play",
      categories: ["Design"],
    });
    expect((await test.send(PUBLISH, { method: "DELETE" })).body).toEqual({});
    expect(await published()).toBeUndefined();
  });

  // docs/rules.md: V2
  it("categories are objects in the public dialect", async () => {
    await using test = await start({ seed: SHARED, dialect: "public" });
    await test.write("PUT", PUBLISH, { categoryNames: ["Design"] });
    expect((await test.send("/docs/shared")).body["published"]).toMatchObject({
      categories: [{ name: "Design" }],
    });
  });

  it("is for those who may share", async () => {
    await using test = await start({ seed: SHARED });
    expect((await test.write("PUT", PUBLISH, {}, "reader")).status).toBe(403);
    expect((await test.write("DELETE", PUBLISH, undefined, "commenter")).status).toBe(403);
    expect(((await test.send("/categories")).body["items"] as unknown[]).length).toBeGreaterThan(0);
  });
});
