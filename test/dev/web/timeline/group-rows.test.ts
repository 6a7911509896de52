import { describe, expect, it } from "vitest";
import { filterRows, groupRows } from "../../../../src/dev/web/timeline/group-rows.ts";
import type { TimelineRow } from "../../../../src/dev/wire/timeline.ts";

function row(members: Partial<TimelineRow>): TimelineRow {
  return {
    id: 1,
    source: "run",
    group: "1",
    target: "Read",
    method: "GET",
    url: "https://api.example/a",
    status: 200,
    error: undefined,
    startedAtMs: 1_000,
    durationMs: 10,
    requestBytes: 0,
    responseBytes: 0,
    fromCache: false,
    reason: undefined,
    canSave: true,
    ...members,
  };
}

describe("the rows of the timeline", () => {
  it("stand in groups of one run or connection, the latest first, each in the order in which its requests began", () => {
    const groups = groupRows([
      row({ id: 1, startedAtMs: 1_020, durationMs: 5 }),
      row({ id: 2, startedAtMs: 1_000, durationMs: 100 }),
      row({
        id: 3,
        source: "connection",
        group: "1",
        target: "connect default",
        startedAtMs: 2_000,
      }),
    ]);
    expect(
      groups.map(({ target, rows, startedAtMs, spanMs }) => [
        target,
        rows.map(({ id }) => id),
        startedAtMs,
        spanMs,
      ]),
    ).toEqual([
      ["connect default", [3], 2_000, 10],
      ["Read", [2, 1], 1_000, 100],
    ]);
  });

  it("give a group a length even when its only request took no time", () => {
    expect(groupRows([row({ durationMs: 0 })])[0]?.spanMs).toBe(1);
  });

  it("are found by what they say, by what sent them, and by whether they failed", () => {
    const rows = [
      row({ id: 1 }),
      row({ id: 2, status: 404, source: "connection" }),
      row({ id: 3, status: undefined, error: "FETCH_FAILED" }),
    ];
    const found = (filter: Partial<Parameters<typeof filterRows>[1]>) =>
      filterRows(rows, { text: "", source: "all", failedOnly: false, ...filter }).map(
        ({ id }) => id,
      );
    expect(found({})).toEqual([1, 2, 3]);
    expect(found({ text: " 404" })).toEqual([2]);
    expect(found({ text: "fetch_failed" })).toEqual([3]);
    expect(found({ source: "connection" })).toEqual([2]);
    expect(found({ failedOnly: true })).toEqual([2, 3]);
  });
});
