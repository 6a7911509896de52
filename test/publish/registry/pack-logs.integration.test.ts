import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import {
  followLogs,
  hasFailed,
  type LogOptions,
  readHead,
  readLogs,
} from "../../../src/publish/registry/pack-logs.ts";
import { registryAddress } from "../../../src/publish/registry/registry-address.ts";
import { createRegistryClient } from "../../../src/publish/registry/registry-client.ts";
import { instantTimer } from "./registry.ts";

const START_MS = Date.parse("2026-03-01T00:00:00Z");

function createContext(number: number) {
  return {
    docId: "doc",
    packId: "7",
    packVersion: "1.0.0",
    formulaName: number % 2 === 0 ? "Even" : "Odd",
    userId: "1",
    connectionId: "",
    requestId: `request-${number}`,
    requestType: "invokeFormulaRequest",
    createdAt: new Date(START_MS + number * 1_000).toISOString(),
    logId: `log-${number}`,
    detailsKey: "",
    aMemberOfTomorrow: true,
  };
}

function createCall(number: number) {
  const failure = number % 10 === 0 ? { error: { message: `failed ${number}` } } : {};
  return {
    type: "invocation",
    invocationLog: {
      type: "invocation",
      context: createContext(number),
      duration: 120,
      ...failure,
    },
    relatedLogs: [{ type: "aTypeOfTomorrow", context: createContext(number) }],
  };
}

/** A registry that knows what the public description says about logs, and nothing of ours. */
async function startLogServer(calls: unknown[]) {
  const requests: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://registry");
    requests.push(url);
    const { searchParams: query, pathname } = url;
    const answer = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    const token = query.get("pageToken");
    const isGrouped = pathname === "/apis/v1/packs/7/docs/doc/groupedLogs";
    if (!isGrouped && pathname !== "/apis/v1/packs/7/docs/doc/logs") return answer(404, {});
    const known = ["beforeTimestamp", "afterTimestamp", "order", "q", "limit", "pageToken"];
    if (!isGrouped) known.push("logTypes", "requestIds");
    const unknown = [...query.keys()].filter((name) => !known.includes(name));
    if (unknown.length > 0 || Number(query.get("limit") ?? 25) > 100)
      return answer(400, { statusCode: 400, statusMessage: "Bad Request", message: `${unknown}` });
    if (token !== null && [...query.keys()].length > 1) return answer(400, {});
    const [offset = 0, limit = 25] =
      token === null ? [0, Number(query.get("limit") ?? 25)] : token.split("-").map(Number);
    const after = query.get("afterTimestamp");
    const fitting = calls.filter((call) => {
      const { createdAt } = readHead(call as never).context;
      return after === null || Date.parse(createdAt) > Date.parse(after);
    });
    const ordered = query.get("order") === "asc" ? fitting : fitting.toReversed();
    const groups = ordered.slice(offset, offset + limit);
    answer(200, {
      items: isGrouped ? groups : groups.map((group) => readHead(group as never)),
      ...(isGrouped ? { incompleteRelatedLogs: offset > 0 } : {}),
      ...(offset + limit < ordered.length ? { nextPageToken: `${offset + limit}-${limit}` } : {}),
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const registry = registryAddress(origin, {}, undefined);
  const client = createRegistryClient({ registry, token: "token", timer: instantTimer });
  return {
    requests,
    read: (options: Partial<LogOptions> = {}) =>
      readLogs({ client, packId: 7, docId: "doc", ...options }),
    follow: (signal: AbortSignal, sleep: () => Promise<void>) =>
      followLogs({ client, packId: 7, docId: "doc", signal, sleep, limit: 2 }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const CALLS = Array.from({ length: 2_500 }, (_, number) => createCall(number));
const listIds = (entries: { entries: Parameters<typeof readHead>[0][] }) =>
  entries.entries.map((entry) => readHead(entry).context.logId);

describe("the log of a Pack", () => {
  it("of 2,500 calls shows the newest after one request, and says that older ones were left out", async () => {
    await using server = await startLogServer(CALLS);
    const page = await server.read({ limit: 3 });
    expect(listIds(page)).toEqual(["log-2499", "log-2498", "log-2497"]);
    expect(page).toMatchObject({ hasOlder: true, isIncomplete: false });
    expect(server.requests.map(({ searchParams }) => searchParams.toString())).toEqual([
      "order=desc&limit=3",
    ]);
  });

  it("goes to older pages until it has as many as were asked for", async () => {
    await using server = await startLogServer(CALLS);
    const page = await server.read({ limit: 250 });
    expect(listIds(page).at(-1)).toBe("log-2250");
    expect(page).toMatchObject({ hasOlder: true, isIncomplete: true });
    expect(server.requests).toHaveLength(3);
  });

  it("has nothing left out when everything was shown", async () => {
    await using server = await startLogServer(CALLS.slice(0, 5));
    expect(await server.read()).toMatchObject({ hasOlder: false });
    expect(await server.read({ limit: 5 })).toMatchObject({ hasOlder: false });
  });

  it("has only the calls of one formula, or only those that failed", async () => {
    await using server = await startLogServer(CALLS);
    expect(listIds(await server.read({ formula: "Odd", limit: 2 }))).toEqual([
      "log-2499",
      "log-2497",
    ]);
    expect(listIds(await server.read({ status: "error", limit: 2 }))).toEqual([
      "log-2490",
      "log-2480",
    ]);
  });

  it("asks for entries, not calls, when types or a call are named", async () => {
    await using server = await startLogServer(CALLS);
    await server.read({ types: ["custom", "mcp"], limit: 1 });
    await server.read({ request: "request-5", limit: 1 });
    expect(
      server.requests.map(({ pathname, search }) => pathname.split("/").at(-1) + search),
    ).toEqual([
      "logs?order=desc&limit=1&logTypes=custom%2Cmcp",
      "logs?order=desc&limit=1&requestIds=request-5",
    ]);
  });

  it("sends times and a search as the registry names them", async () => {
    await using server = await startLogServer(CALLS);
    const since = new Date(START_MS + 2_497_000);
    const until = new Date(START_MS + 9_000_000);
    const page = await server.read({ since, until, search: "failed" });
    expect(listIds(page)).toEqual(["log-2499", "log-2498"]);
    expect(Object.fromEntries(server.requests[0]?.searchParams ?? [])).toMatchObject({
      afterTimestamp: "2026-03-01T00:41:37.000Z",
      beforeTimestamp: "2026-03-01T02:30:00.000Z",
      q: "failed",
    });
  });

  it("when followed, shows the newest with the oldest first, and then each new call once", async () => {
    const calls: unknown[] = CALLS.slice(0, 50);
    await using server = await startLogServer(calls);
    const stop = new AbortController();
    let rounds = 0;
    const sleep = async () => {
      if (++rounds === 3) stop.abort();
      calls.push(createCall(49 + rounds));
    };
    const shown: string[] = [];
    for await (const entry of server.follow(stop.signal, sleep))
      shown.push(readHead(entry).context.logId);
    expect(shown).toEqual(["log-48", "log-49", "log-50", "log-51"]);
  });

  it.each<[string, Parameters<typeof hasFailed>[0], boolean]>([
    ["a call of a tool with an error", { type: "mcp", error: { message: "no" } } as never, true],
    ["a request with status 404", { type: "fetcher", responseCode: 404 } as never, true],
    ["a request with status 200", { type: "fetcher", responseCode: 200 } as never, false],
    ["a message of level error", { type: "custom", level: "error" } as never, true],
    ["a message of level info", { type: "ingestionDebug", level: "info" } as never, false],
    ["a connection with an error", { type: "auth", errorMessage: "no" } as never, true],
  ])("%s", (_, log, expected) => {
    expect(hasFailed(log)).toBe(expected);
  });
});
