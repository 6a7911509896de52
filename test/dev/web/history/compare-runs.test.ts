import { describe, expect, it } from "vitest";
import { compareRuns } from "../../../../src/dev/web/history/compare-runs.ts";
import type { HistoryDetail, HistoryRequest } from "../../../../src/dev/wire/history.ts";

const REQUEST: HistoryRequest = {
  id: 1,
  method: "GET",
  url: "https://api.example/items?limit=10",
  status: 200,
  startedAtMs: 0,
  durationMs: 5,
  requestBytes: 0,
  responseBytes: 20,
  fromCache: false,
  requestHeaders: { accept: "application/json" },
  responseBody: '{"items":[{"id":1,"name":"A"}]}',
};

function makeRun(changed: Partial<HistoryDetail> = {}): HistoryDetail {
  const { run, ...row } = changed;
  return {
    id: "1",
    name: "",
    target: "List",
    kind: "formula",
    args: [
      { name: "limit", text: "10", isSecret: false },
      { name: "apiKey", text: "••••", isSecret: true },
    ],
    account: undefined,
    dynamicUrl: undefined,
    startedAtMs: 0,
    durationMs: 5,
    state: "ended",
    revision: 1,
    requests: 1,
    summary: "",
    failure: undefined,
    sent: [REQUEST],
    suggested: { test: "", cassette: "" },
    ...row,
    run: {
      id: "1",
      target: "List",
      state: "ended",
      kind: "value",
      revision: 1,
      value: ["A"],
      excerpt: undefined,
      schema: undefined,
      columns: [],
      rowCount: 0,
      pages: 0,
      deletedRowIds: [],
      continuation: undefined,
      requests: 1,
      failure: undefined,
      logs: [],
      durationMs: 5,
      ...run,
    },
  };
}

/** What is not the same, as `place name (state)`. */
function differences(left: HistoryDetail, right: HistoryDetail): string[] {
  const { inputs, requests, results } = compareRuns(left, right);
  return [...inputs, ...requests.flatMap(({ parts }) => parts), ...results]
    .filter(({ state }) => state !== "same")
    .map(({ place, name, state }) => `${place} ${name}`.trim().concat(` (${state})`));
}

describe("comparing two runs", () => {
  it("finds no difference between equal ones, and does not compare secrets", () => {
    expect(differences(makeRun(), makeRun({ durationMs: 900, startedAtMs: 5 }))).toEqual([
      "Argument apiKey (hidden)",
    ]);
  });

  it("shows arguments, account and version that differ", () => {
    const other = makeRun({
      args: [{ name: "limit", text: "20", isSecret: false }],
      account: "work",
      revision: 2,
    });
    expect(differences(makeRun(), other)).toEqual([
      "Argument limit (different)",
      "Argument apiKey (missing)",
      "Account (different)",
      "Build of the Pack (different)",
    ]);
  });

  it("compares requests with the same method and path, and what was answered", () => {
    const other = makeRun({
      sent: [
        { ...REQUEST, method: "POST", url: "https://api.example/login" },
        {
          ...REQUEST,
          url: "https://api.example/items?limit=20",
          status: 500,
          responseBody: '{"items":[{"id":1,"name":"B"}]}',
        },
      ],
    });
    expect(differences(makeRun(), other)).toEqual([
      "Argument apiKey (hidden)",
      "Query limit (different)",
      "Status (different)",
      "Response body items[id=1].name (different)",
      "Request (extra)",
    ]);
  });

  it("compares a run that succeeded with one that failed", () => {
    const failure = { code: "FETCH_FAILED", message: "No answer.", stack: [], frame: [] };
    const other = makeRun({
      failure,
      run: { ...makeRun().run, failure, value: undefined, logs: [] },
      sent: [],
    });
    expect(differences(makeRun(), other)).toEqual([
      "Argument apiKey (hidden)",
      "Request (missing)",
      "Outcome (different)",
      "Failure (extra)",
      "Result (missing)",
    ]);
  });
});
