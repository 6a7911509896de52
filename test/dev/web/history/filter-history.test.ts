import { describe, expect, it } from "vitest";
import {
  describeArguments,
  filterHistory,
  findEarlier,
} from "../../../../src/dev/web/history/filter-history.ts";
import type { HistoryRow } from "../../../../src/dev/wire/history.ts";

const row = (id: string, changed: Partial<HistoryRow> = {}): HistoryRow => ({
  id,
  name: "",
  target: "List",
  kind: "formula",
  args: [],
  account: undefined,
  dynamicUrl: undefined,
  startedAtMs: 0,
  durationMs: 1,
  state: "ended",
  revision: 1,
  requests: 0,
  summary: "",
  failure: undefined,
  ...changed,
});
/** Newest first, as the server lists them. */
const ROWS = [
  row("4", { args: [{ name: "doc", text: "Plan", isSecret: false }], summary: "12 rows" }),
  row("3", { target: "Save", kind: "action", failure: { code: "FETCH_FAILED", message: "No" } }),
  row("2", { name: "Before the fix" }),
  row("1", { account: "work" }),
];
const ids = (rows: readonly HistoryRow[]) => rows.map(({ id }) => id);

describe("the history of runs", () => {
  it.each([
    ["", ["4", "3", "2", "1"]],
    ["doc plan", ["4"]],
    ["12 rows", ["4"]],
    ["FIX before", ["2"]],
    ["fetch_failed", ["3"]],
    ["action", ["3"]],
    ["work", ["1"]],
    ["nothing has this", []],
  ])("is filtered by %j", (text, expected) => {
    expect(ids(filterHistory(ROWS, { text, failedOnly: false }))).toEqual(expected);
  });

  it("can show only failed runs", () => {
    expect(ids(filterHistory(ROWS, { text: "", failedOnly: true }))).toEqual(["3"]);
  });

  it("finds the run before one of the same formula, or else a later one", () => {
    expect(findEarlier(ROWS, ROWS[0] ?? row(""))?.id).toBe("2");
    expect(findEarlier(ROWS, ROWS[3] ?? row(""))?.id).toBe("4");
    expect(findEarlier(ROWS, ROWS[1] ?? row(""))).toBeUndefined();
  });

  it("describes arguments in one line", () => {
    expect(describeArguments(ROWS[0] ?? row(""))).toBe("doc: Plan");
  });
});
