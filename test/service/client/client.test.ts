import { describe, expect, it } from "vitest";
import {
  createServiceClient,
  fetchTransport,
  packTransport,
  type ServiceRequest,
  type ServiceResponse,
  type Transport,
} from "../../../src/service.ts";
import { startTestService } from "../support.ts";

/** A transport that gives prepared responses and keeps what was sent. */
function scripted(...responses: ServiceResponse[]): Transport & { sent: ServiceRequest[] } {
  const sent: ServiceRequest[] = [];
  return {
    sent,
    async send(request) {
      sent.push(request);
      const response = responses.shift();
      if (response === undefined) throw new Error("socket hang up");
      return response;
    },
  };
}

const ok = (body: unknown): ServiceResponse => ({ status: 200, body });
const clientOf = (transport: Transport) => createServiceClient({ baseUrl: "https://docs.example/apis/v1/", transport });

describe("requests", () => {
  it("encode names in paths and leave out what is undefined", async () => {
    const transport = scripted(ok({ items: [] }));
    await clientOf(transport).doc("a b").table("x/y?").rows.list({ query: '"A b":"c&d"', limit: undefined });
    expect(transport.sent[0]?.url).toBe("https://docs.example/apis/v1/docs/a%20b/tables/x%2Fy%3F/rows?query=%22A%20b%22%3A%22c%26d%22");
  });

  it.each(["", ".", ".."])("are not sent for the name %j, which would change the path", async (name) => {
    const transport = scripted();
    await expect(clientOf(transport).doc(name).get()).rejects.toThrow(TypeError);
    expect(transport.sent).toEqual([]);
  });

  it("after a write do not accept a cached response", async () => {
    const transport = scripted(ok({}), ok({ requestId: "r" }), ok({}));
    const client = clientOf(transport);
    await client.whoami();
    await client
      .doc("d")
      .table("t")
      .rows.insert({ rows: [{ Name: "a", Skipped: undefined }] });
    await client.whoami();
    expect(transport.sent.map(({ cacheTtlSecs }) => cacheTtlSecs)).toEqual([undefined, undefined, 0]);
    expect(transport.sent[1]?.body).toBe('{"rows":[{"cells":[{"column":"Name","value":"a"}]}]}');
  });

  it("may be repeated when they read or name key columns, not when they add", async () => {
    const transport = scripted(ok({}), ok({}), ok({}), ok({}));
    const { rows } = clientOf(transport).doc("d").table("t");
    await rows.get("r");
    await rows.upsert({ key: ["Name"], rows: [] });
    await rows.insert({ rows: [] });
    await rows.pushButton("r", "c");
    expect(transport.sent.map(({ repeatable }) => repeatable)).toEqual([true, true, false, false]);
  });
});

describe("lists", () => {
  const pages = () => scripted(ok({ items: [1, 2], nextPageToken: "t1" }), ok({ items: [], nextPageToken: "t2" }), ok({ items: [3] }));

  it("send nothing until they are used", async () => {
    const transport = pages();
    clientOf(transport).docs.list();
    expect(transport.sent).toEqual([]);
  });

  it("go on after an empty page, with the token alone", async () => {
    const transport = pages();
    const seen: unknown[] = [];
    for await (const doc of clientOf(transport).docs.list({ query: "x" })) seen.push(doc);
    expect(seen).toEqual([1, 2, 3]);
    expect(transport.sent.map(({ url }) => url.split("?")[1])).toEqual(["query=x", "pageToken=t1", "pageToken=t2"]);
  });

  it("stop at max without asking for more", async () => {
    const transport = pages();
    expect(await clientOf(transport).docs.list().all({ max: 1 })).toEqual([1]);
    expect(transport.sent.map(({ url }) => url.split("?")[1])).toEqual(["limit=1"]);
    expect(await clientOf(transport).docs.list().all({ max: 0 })).toEqual([]);
    await expect(clientOf(transport).docs.list().all({ max: Number.NaN })).rejects.toThrow(TypeError);
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
    const transport = scripted({ status, body: { statusCode: status, statusMessage: "S", message: "Why." } });
    await expect(clientOf(transport).whoami()).rejects.toMatchObject({ name, status, message: "Why.", operation: "whoami" });
  });

  it("tell no response and a foreign response apart", async () => {
    await expect(clientOf(scripted()).whoami()).rejects.toMatchObject({ name: "ConnectionError", status: 0 });
    await expect(clientOf(scripted(ok("<html>"))).whoami()).rejects.toMatchObject({ name: "UnexpectedResponseError" });
  });
});

describe("inside a Pack", () => {
  const statusCodeError = (statusCode: number, body: unknown) =>
    Object.assign(new Error(`${statusCode}`), { name: "StatusCodeError", statusCode, body });

  it("a refused request becomes an error of the client, except a 401, which the platform has to see", async () => {
    const failing = (error: Error) => clientOf(packTransport({ fetch: () => Promise.reject(error) })).whoami();
    await expect(failing(statusCodeError(404, '{"message":"Gone away."}'))).rejects.toMatchObject({
      name: "NotFoundError",
      message: "Gone away.",
    });
    const unauthorized = statusCodeError(401, {});
    await expect(failing(unauthorized)).rejects.toBe(unauthorized);
  });

  it("an edit is asked for a few times and handed back unfinished", async () => {
    const asked: (number | undefined)[] = [];
    const transport = packTransport({
      async fetch({ cacheTtlSecs }) {
        asked.push(cacheTtlSecs);
        return asked.length === 1 ? Promise.reject(statusCodeError(404, {})) : { status: 200, body: { completed: false } };
      },
    });
    expect(await clientOf(transport).waitFor("r", { polls: 3 })).toEqual({ requestId: "r", completed: false });
    expect(asked).toEqual([0, 0, 0]);
  });
});

describe("waiting in Node", () => {
  it("sleeps longer each time, and gives up at the deadline", async () => {
    let nowMs = 0;
    const slept: number[] = [];
    const timer = {
      now: () => nowMs,
      sleep: async (ms: number) => {
        slept.push(ms);
        nowMs += ms;
      },
    };
    const transport: Transport = { timer, send: async () => ok({ completed: nowMs > 8_000, warning: null }) };
    expect(await clientOf(transport).waitFor({ requestId: "r" })).toEqual({ requestId: "r", completed: true });
    expect(slept).toEqual([1_000, 1_500, 2_250, 3_375]);
    nowMs = 0;
    expect(await clientOf(transport).waitFor("r", { timeoutMs: 3_000, onPending: "return" })).toEqual({ requestId: "r", completed: false });
    expect(nowMs).toBe(3_000);
  });
});

describe("the transport of fetch", () => {
  const respond = (status: number, headers: Record<string, string> = {}) => new Response("{}", { status, headers });

  async function attempts(responses: (Response | Error)[], method: "read" | "insert") {
    const slept: number[] = [];
    let sent = 0;
    const transport = fetchTransport({
      token: "t",
      random: () => 1,
      timer: {
        now: () => 0,
        sleep: async (ms) => {
          slept.push(ms);
        },
      },
      fetch: async () => {
        const response = responses[sent++];
        if (response instanceof Response) return response;
        throw response ?? new Error("none");
      },
    });
    const client = clientOf(transport);
    const call = method === "read" ? client.whoami() : client.doc("d").table("t").rows.insert({ rows: [] });
    const outcome = await call.then(
      () => "fine",
      (error: Error) => error.name,
    );
    return { outcome, sent, slept };
  }

  it("waits out a rate limit for every method, as long as the service asks", async () => {
    expect(await attempts([respond(429), respond(429, { "Retry-After": "7" }), respond(200)], "insert")).toEqual({
      outcome: "fine",
      sent: 3,
      slept: [2_000, 7_000],
    });
    expect(
      await attempts(
        Array.from({ length: 9 }, () => respond(429)),
        "read",
      ),
    ).toMatchObject({ outcome: "RateLimitError", sent: 4 });
  });

  it("repeats a failure only where nothing can happen twice, and never a 504", async () => {
    expect(await attempts([new Error("reset"), respond(503), respond(200)], "read")).toMatchObject({ outcome: "fine", sent: 3 });
    expect(await attempts([new Error("reset"), respond(200)], "insert")).toMatchObject({ outcome: "ConnectionError", sent: 1 });
    expect(await attempts([respond(503)], "insert")).toMatchObject({ outcome: "ServerError", sent: 1 });
    expect(await attempts([respond(504)], "read")).toMatchObject({ outcome: "ServerError", sent: 1 });
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
      warning: "A column does not exist; its cell was skipped.",
    });
  });
});
