import { describe, expect, it } from "vitest";
import { createServiceClient, type FetchFunction, fetchTransport } from "../../../src/service.ts";
import { startTestService } from "../support.ts";
import { createClient, createTimer, overFetch, respond } from "./scripted.ts";

const insert = (client: ReturnType<typeof overFetch>["client"]) =>
  client.doc("d").table("t").rows.insert({ rows: [] });
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => "fine",
    (error: Error) => error.name,
  );
let tokens = 0;
const token = () => `token-${tokens++}`;

describe("the pace of requests", () => {
  // docs/rules.md: V16
  it("stays just under the published limits of each of the five groups", async () => {
    const { client, sentAtMs, timer } = overFetch(
      [() => respond(200, {}, { items: [], requestId: "r" })],
      { token: token() },
    );
    const elapsed = async (count: number, send: () => PromiseLike<unknown>) => {
      const startedAtMs = timer.nowMs;
      for (let each = 0; each < count; each++) await send();
      return timer.nowMs - startedAtMs;
    };
    expect(await elapsed(91, () => client.whoami())).toBe(6_000);
    expect(await elapsed(9, () => client.doc("d").unpublish())).toBe(6_000);
    expect(await elapsed(9, () => insert(client))).toBe(20_000);
    expect(await elapsed(4, () => client.docs.list())).toBe(6_000);
    expect(await elapsed(91, () => client.analytics.lastUpdated())).toBe(6_000);
    expect(sentAtMs).toHaveLength(204);
  });

  // docs/rules.md: V17
  it("is shared by every transport of a token, and by no other", async () => {
    const timer = createTimer();
    const one = token();
    const first = overFetch([() => respond(200, {}, { requestId: "r" })], { token: one, timer });
    const second = overFetch([() => respond(200, {}, { requestId: "r" })], { token: one, timer });
    const other = overFetch([() => respond(200, {}, { requestId: "r" })], {
      token: token(),
      timer,
    });
    await Promise.all([
      insert(first.client),
      insert(first.client),
      insert(second.client),
      insert(second.client),
    ]);
    expect(timer.slept).toEqual([]);
    await insert(other.client);
    expect(timer.slept).toEqual([]);
    await insert(second.client);
    expect(timer.slept).toEqual([10_000]);
  });

  it("can be set, or left out", async () => {
    const set = overFetch([() => respond(200)], {
      token: token(),
      limits: { read: { requests: 1, perMs: 50 } },
    });
    await set.client.whoami();
    await set.client.whoami();
    expect(set.timer.slept).toEqual([50]);
    const free = overFetch([() => respond(200, {}, { requestId: "r" })], {
      token: token(),
      limits: false,
    });
    for (let each = 0; each < 50; each++) await insert(free.client);
    expect(free.timer.slept).toEqual([]);
  });
});

describe("a rate limit that the service reports", () => {
  // docs/rules.md: V17
  it("is waited out for every method, as long as the service asks, and no longer than a minute", async () => {
    const limited = (seconds?: string) =>
      respond(429, seconds === undefined ? {} : { "Retry-After": seconds });
    const { client, timer } = overFetch(
      [limited(), limited("7"), limited("900"), respond(200, {}, { requestId: "r" })],
      {
        token: token(),
      },
    );
    expect(await outcome(insert(client))).toBe("fine");
    expect(timer.slept).toEqual([2_000, 7_000, 60_000]);
  });

  it("ends the call after four tries", async () => {
    const { client, timer, sentAtMs } = overFetch([() => respond(429)], { token: token() });
    await expect(client.whoami()).rejects.toMatchObject({
      name: "RateLimitError",
      status: 429,
      executed: "no",
    });
    expect(sentAtMs).toHaveLength(4);
    expect(timer.slept).toEqual([2_000, 4_000, 6_000]);
  });

  it("is waited out no longer than its window, and an observer is told of each attempt and each wait", async () => {
    const timer = createTimer();
    const seen: unknown[] = [];
    const answers = [
      respond(429),
      respond(429),
      respond(429),
      respond(200, {}, { requestId: "r" }),
    ];
    const client = createServiceClient({
      baseUrl: "https://docs.example/apis/v1",
      transport: fetchTransport({
        token: token(),
        timer,
        random: () => 1,
        fetch: async () => answers.shift() ?? respond(500),
      }),
      observe: (event) => {
        if (event.event !== "response")
          seen.push(event.event === "wait" ? [event.reason, event.waitMs] : event.status);
      },
    });
    await insert(client);
    // The window of the operation is 10 s: after it, none of the earlier requests counts.
    expect(seen).toEqual([
      429,
      ["rateLimit", 2_000],
      429,
      ["rateLimit", 6_000],
      429,
      ["rateLimit", 2_000],
      200,
    ]);
  });

  it("has status 0 for an observer when no answer came", async () => {
    const seen: number[] = [];
    const client = createServiceClient({
      baseUrl: "https://docs.example/apis/v1",
      transport: fetchTransport({
        token: token(),
        timer: createTimer(),
        fetch: async () => {
          throw new TypeError("fetch failed");
        },
      }),
      observe: (event) => {
        if (event.event === "attempt") seen.push(event.status);
      },
    });
    await expect(insert(client)).rejects.toThrow();
    expect(new Set(seen)).toEqual(new Set([0]));
  });

  it("holds the other calls of its group back, and those alone", async () => {
    const { client, timer } = overFetch(
      [respond(429), respond(200), respond(200, {}, { requestId: "r" })],
      { token: token() },
    );
    const reading = client.whoami();
    await new Promise((resolve) => setImmediate(resolve));
    await reading;
    const readMs = timer.nowMs;
    await insert(client);
    expect(timer.nowMs).toBe(readMs);
  });

  it("that three calls in two minutes could not outwait fails at once, until a call comes through", async () => {
    const answers = [
      ...Array.from({ length: 13 }, () => respond(429)),
      respond(200),
      respond(429),
      respond(200),
    ];
    const { client, sentAtMs } = overFetch(answers, { token: token() });
    for (let call = 0; call < 3; call++)
      expect(await outcome(client.whoami())).toBe("RateLimitError");
    expect(sentAtMs).toHaveLength(12);
    expect(await outcome(client.whoami())).toBe("RateLimitStuckError");
    expect(sentAtMs).toHaveLength(13);
    expect(await outcome(client.whoami())).toBe("fine");
    expect(await outcome(client.whoami())).toBe("fine");
    expect(sentAtMs).toHaveLength(16);
  });
});

describe("repeating", () => {
  const reset = () =>
    new TypeError("fetch failed", {
      cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
    });
  const refused = () =>
    new TypeError("fetch failed", {
      cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
    });
  const created = respond(200, {}, { requestId: "r" });

  // docs/rules.md: service 58
  it.each([
    ["a read after a lost connection", [reset(), respond(503), respond(200)], "read", "fine", 3],
    ["a plain insert after a lost connection", [reset(), created], "insert", "ConnectionError", 1],
    ["a plain insert after a failure of the service", [respond(503)], "insert", "ServerError", 1],
    ["a plain insert that was never sent", [refused(), created], "insert", "fine", 2],
    ["a keyed upsert after a lost connection", [reset(), created], "upsert", "fine", 2],
    ["a pushed button after a lost connection", [reset(), created], "push", "ConnectionError", 1],
    [
      "a read after a 504, which would take as long again",
      [respond(504)],
      "read",
      "ServerError",
      1,
    ],
    ["a read that is not built", [respond(501)], "read", "ServerError", 1],
  ] as const)(
    "%s is repeated only where that changes nothing twice",
    async (_, answers, kind, expected, sent) => {
      const { client, sentAtMs } = overFetch([...answers], { token: token(), limits: false });
      const { rows } = client.doc("d").table("t");
      const calls = {
        read: () => client.whoami(),
        insert: () => rows.insert({ rows: [] }),
        upsert: () => rows.upsert({ key: ["Name"], rows: [] }),
        push: () => rows.pushButton("r", "c"),
      };
      expect(await outcome(calls[kind]())).toBe(expected);
      expect(sentAtMs).toHaveLength(sent);
    },
  );

  it("says whether a request that failed may have been executed", async () => {
    const failed = async (answers: (Error | Response)[]) => {
      const { client } = overFetch(answers, { token: token(), limits: false, attempts: 1 });
      return await insert(client).then(
        () => "fine",
        (error: { executed: string }) => error.executed,
      );
    };
    expect(await failed([reset()])).toBe("unknown");
    expect(await failed([respond(500)])).toBe("unknown");
    expect(await failed([refused()])).toBe("no");
    expect(await failed([respond(429)])).toBe("no");
    expect(await failed([respond(400)])).toBe("no");
  });

  it("gives a response that is too large up at once", async () => {
    const { client, sentAtMs } = overFetch([() => respond(200, {}, { text: "x".repeat(2_000) })], {
      token: token(),
      maxResponseBytes: 1_000,
    });
    await expect(client.whoami()).rejects.toThrow("larger than 1000 bytes");
    expect(sentAtMs).toHaveLength(1);
  });
});

describe("a call", () => {
  it("ends by its deadline, whatever it waits for", async () => {
    const { client, timer, sentAtMs } = overFetch([() => respond(429)], { token: token() });
    await expect(client.whoami({ deadlineMs: 5_000 })).rejects.toMatchObject({
      name: "RateLimitError",
    });
    expect(sentAtMs).toHaveLength(2);
    const held = overFetch([() => respond(200, {}, { requestId: "r" })], { token: token(), timer });
    for (let each = 0; each < 4; each++) await insert(held.client);
    const { rows } = held.client.doc("d").table("t");
    await expect(rows.insert({ rows: [], deadlineMs: 9_000 })).rejects.toMatchObject({
      name: "DeadlineError",
      executed: "no",
    });
  });

  it("ends when its signal is aborted, with the reason of the signal", async () => {
    const stopped = new AbortController();
    const reason = new Error("enough");
    const { client, timer, sentAtMs } = overFetch([() => respond(429)], { token: token() });
    timer.sleep = async () => stopped.abort(reason);
    await expect(client.whoami({ signal: stopped.signal })).rejects.toBe(reason);
    expect(sentAtMs).toHaveLength(1);
    await expect(client.whoami({ signal: stopped.signal })).rejects.toBe(reason);
    expect(sentAtMs).toHaveLength(1);
  });

  it("stops waiting on the real clock as soon as its signal is aborted", async () => {
    const stopped = new AbortController();
    const transport = fetchTransport({
      token: token(),
      async fetch() {
        setImmediate(() => stopped.abort(new Error("enough")));
        return respond(429, { "Retry-After": "60" });
      },
    });
    await expect(createClient(transport).whoami({ signal: stopped.signal })).rejects.toThrow(
      "enough",
    );
  });

  it("stops a request under way as soon as its signal is aborted", async () => {
    await using test = await startTestService();
    const stopped = new AbortController();
    const client = createServiceClient({
      baseUrl: test.service.url,
      transport: fetchTransport({
        token: test.service.token,
        fetch(url, init) {
          stopped.abort(new Error("enough"));
          return (fetch as never as FetchFunction)(url, init);
        },
      }),
    });
    await expect(client.whoami({ signal: stopped.signal })).rejects.toThrow("enough");
  });

  it("names the request on its error as the service does in its own logs", async () => {
    await using test = await startTestService();
    await expect(test.client.doc("none").get()).rejects.toMatchObject({
      name: "NotFoundError",
      operation: "getDoc",
      status: 404,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  // docs/rules.md: V1
  it("takes any status from 200 to 299 as success", async () => {
    const { client } = overFetch([() => respond(201, {}, { id: "d", requestId: "r" })], {
      token: token(),
    });
    expect(await client.docs.create()).toMatchObject({ id: "d" });
  });

  it("tells an observer what was exchanged, without credentials", async () => {
    const seen: unknown[] = [];
    const secret = token();
    const client = createServiceClient({
      baseUrl: "https://docs.example/apis/v1",
      transport: fetchTransport({
        token: secret,
        fetch: async () => respond(200, { "x-request-id": "q" }, { name: "Ann" }),
      }),
      observe: (exchange) => seen.push(exchange),
    });
    await client.whoami();
    expect(seen).toEqual([
      { event: "attempt", operation: "whoami", attempt: 1, status: 200 },
      {
        event: "response",
        operation: "whoami",
        method: "GET",
        url: "https://docs.example/apis/v1/whoami",
        status: 200,
        body: { name: "Ann" },
        requestId: "q",
      },
    ]);
    expect(JSON.stringify(seen)).not.toContain(secret);
  });
});

it("a service on this machine is not held back", async () => {
  const timer = createTimer();
  const transport = fetchTransport({
    token: token(),
    timer,
    fetch: async () => respond(200, {}, { requestId: "r" }),
  });
  const insertAt = async (baseUrl: string) => {
    const { rows } = createServiceClient({ baseUrl, transport }).doc("d").table("t");
    for (let each = 0; each < 12; each++) await rows.insert({ rows: [] });
  };
  await insertAt("http://127.0.0.1:4711/apis/v1");
  expect(timer.slept).toEqual([]);
});

describe("what a program adds to its requests", () => {
  const sent: Parameters<FetchFunction>[] = [];
  const fetch: FetchFunction = async (...request) => {
    sent.push(request);
    return respond(200, {}, { requestId: "r" }) as never;
  };
  const baseUrl = "https://docs.example/apis/v1";

  it("are a user agent, headers, and options of fetch such as an agent", async () => {
    const dispatcher = {};
    const client = createServiceClient({
      baseUrl,
      token: "secret",
      fetch,
      userAgent: "nightly-sync/1.2",
      headers: { "X-Team": "blue" },
      fetchOptions: { dispatcher, redirect: "follow" },
    });
    await client.whoami();
    expect(sent[0]?.[1]).toMatchObject({
      dispatcher,
      redirect: "error",
      headers: {
        Authorization: "Bearer secret",
        "User-Agent": "nightly-sync/1.2",
        "X-Team": "blue",
      },
    });
    expect(Object(sent[0]?.[1])["dispatcher"]).toBe(dispatcher);
  });

  it("cannot replace the token", () => {
    const headers = { authorization: "Bearer other" };
    expect(() => createServiceClient({ baseUrl, token: "secret", fetch, headers })).toThrow(
      "headers contains Authorization. Pass the service's token in the option token.",
    );
  });

  it("arrives at a running service", async () => {
    await using test = await startTestService();
    const { url, token: own } = test.service;
    const userAgent = "nightly-sync/1.2";
    expect((await createServiceClient({ baseUrl: url, token: own, userAgent }).whoami()).type).toBe(
      "user",
    );
  });
});
