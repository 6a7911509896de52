import { describe, expect, it } from "vitest";
import { startTestService } from "../support.ts";
import { createClient, ok, refusal, scripted } from "./scripted.ts";

describe("requests", () => {
  it("encode names in paths and leave out what is undefined", async () => {
    const transport = scripted(ok({ items: [] }));
    await createClient(transport)
      .doc("a b")
      .table("x/y?")
      .rows.list({ query: '"A b":"c&d"', limit: undefined });
    expect(transport.sent[0]?.url).toBe(
      "https://docs.example/apis/v1/docs/a%20b/tables/x%2Fy%3F/rows?query=%22A%20b%22%3A%22c%26d%22",
    );
  });

  it.each(["", ".", ".."])(
    "are not sent for the name %j, which would change the path",
    async (name) => {
      const transport = scripted();
      await expect(createClient(transport).doc(name).get()).rejects.toThrow(TypeError);
      expect(transport.sent).toEqual([]);
    },
  );

  it("after a write do not accept a cached response", async () => {
    const transport = scripted(ok({}), ok({ requestId: "r" }), ok({}));
    const client = createClient(transport);
    await client.whoami();
    await client
      .doc("d")
      .table("t")
      .rows.insert({ rows: [{ Name: "a", Skipped: undefined }] });
    await client.whoami();
    expect(transport.sent.map(({ cacheTtlSecs }) => cacheTtlSecs)).toEqual([
      undefined,
      undefined,
      0,
    ]);
    expect(transport.sent[1]?.body).toBe('{"rows":[{"cells":[{"column":"Name","value":"a"}]}]}');
  });

  it("may be repeated when they read or name key columns, not when they add", async () => {
    const transport = scripted(ok({}), ok({}), ok({}), ok({}));
    const { rows } = createClient(transport).doc("d").table("t");
    await rows.get("r");
    await rows.upsert({ key: ["Name"], rows: [] });
    await rows.insert({ rows: [] });
    await rows.pushButton("r", "c");
    expect(transport.sent.map(({ repeatable }) => repeatable)).toEqual([true, true, false, false]);
  });
});

describe("lists", () => {
  const pages = () =>
    scripted(
      ok({ items: [1, 2], nextPageToken: "t1" }),
      ok({ items: [], nextPageToken: "t2" }),
      ok({ items: [3] }),
    );

  it("send nothing until they are used", async () => {
    const transport = pages();
    createClient(transport).docs.list();
    expect(transport.sent).toEqual([]);
  });

  it("go on after an empty page, with the token alone", async () => {
    const transport = pages();
    const seen: unknown[] = [];
    for await (const doc of createClient(transport).docs.list({ query: "x" })) seen.push(doc);
    expect(seen).toEqual([1, 2, 3]);
    expect(transport.sent.map(({ url }) => url.split("?")[1])).toEqual([
      "query=x",
      "pageToken=t1",
      "pageToken=t2",
    ]);
  });

  it("stop at max without asking for more", async () => {
    const transport = pages();
    expect(await createClient(transport).docs.list().all({ max: 1 })).toEqual([1]);
    expect(transport.sent.map(({ url }) => url.split("?")[1])).toEqual(["limit=1"]);
    expect(await createClient(transport).docs.list().all({ max: 0 })).toEqual([]);
    await expect(createClient(transport).docs.list().all({ max: Number.NaN })).rejects.toThrow(
      TypeError,
    );
  });
});

describe("errors", () => {
  it.each([
    [400, "InvalidRequestError"],
    [401, "UnauthorizedError"],
    [403, "ForbiddenError"],
    [404, "NotFoundError"],
    [410, "GoneError"],
    [418, "ServiceError"],
    [422, "UnprocessableError"],
    [429, "RateLimitError"],
    [503, "ServerError"],
  ])("status %i becomes %s with the message of the service", async (status, name) => {
    const transport = scripted(refusal(status));
    await expect(createClient(transport).whoami()).rejects.toMatchObject({
      name,
      status,
      message: "Why.",
      operation: "whoami",
    });
  });

  it("tell no response and a foreign response apart", async () => {
    await expect(createClient(scripted()).whoami()).rejects.toMatchObject({
      name: "ConnectionError",
      status: 0,
    });
    await expect(createClient(scripted(ok("<html>"))).whoami()).rejects.toMatchObject({
      name: "UnexpectedResponseError",
    });
  });
});

it("waits for an edit of the local service", async () => {
  await using test = await startTestService({ mutationDelayMs: 1 });
  const edit = await test.client
    .doc(test.service.docId)
    .table("Tasks")
    .rows.insert({ rows: [{ Title: "x", None: 1 }] });
  expect(await test.client.waitFor(edit)).toEqual({
    requestId: edit.requestId,
    completed: true,
    warning: "A column does not exist; the cell was skipped.",
  });
});
