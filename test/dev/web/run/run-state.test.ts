import { describe, expect, it } from "vitest";
import {
  advance,
  NOTHING_ASKED,
  type RunEvent,
  type RunState,
  readScreen,
  startsNow,
  waitsForAccount,
} from "../../../../src/dev/web/run/run-state.ts";
import type { RunFailureView, RunView } from "../../../../src/dev/wire/run.ts";

type Message = "run" | "none yet" | "connected" | "one now" | "saved";

/** What arrives at the page when an account is connected for a run, each once, in any order. */
const MESSAGES: readonly Message[] = ["run", "none yet", "connected", "one now", "saved"];

function createEvent(message: Message, { accounts }: RunState): RunEvent {
  switch (message) {
    case "run":
      return { type: "asked" };
    case "none yet":
      return { type: "accounts", accounts: "missing" };
    case "connected":
      return { type: "connected" };
    case "one now":
      return { type: "accounts", accounts: "present" };
    case "saved":
      // A save of the Pack makes the page read the accounts again, which changes nothing.
      return { type: "accounts", accounts };
  }
}

/** A page with a server that has an account as soon as one was connected. */
function createPage() {
  let state = NOTHING_ASKED;
  const starts: string[] = [];
  const take = (event: RunEvent): void => {
    state = advance(state, event);
    expectNoContradiction(state);
    if (!startsNow(state)) return;
    starts.push(state.accounts);
    state = advance(state, { type: "started" });
    expectNoContradiction(state);
  };
  return { take, starts, state: () => state };
}

/** What a reader of the page could not believe at the same time. */
function expectNoContradiction(state: RunState): void {
  const screen = readScreen(state);
  expect(screen.is === "running").toBe(state.isBusy || startsNow(state));
  // No failure for want of an account below an account that is connected.
  if (state.isConnected) expect(screen).not.toMatchObject({ failure: failWith("missing") });
  if (screen.is === "empty")
    expect(screen.waitsForAccount).toBe(state.isAsked && state.accounts === "missing");
}

const CODES = {
  missing: "ACCOUNT_MISSING",
  refused: "ACCOUNT_RECONNECT",
  other: "FETCH_STATUS",
};

function failWith(failure: keyof typeof CODES): RunFailureView {
  return { code: CODES[failure], message: "It failed.", stack: [], frame: [] };
}

function answer(failure?: keyof typeof CODES): RunEvent {
  return { type: "answered", run: createRun("1", failure) };
}

function createRun(id: string, failure?: keyof typeof CODES, rowCount = 0): RunView {
  return {
    id,
    target: "ListTasks",
    state: "ended",
    kind: "value",
    revision: 1,
    value: "done",
    excerpt: undefined,
    schema: undefined,
    columns: [],
    rowCount,
    pages: 0,
    deletedRowIds: [],
    continuation: undefined,
    requests: 0,
    logs: [],
    durationMs: 1,
    failure: failure && failWith(failure),
  };
}

describe("the run that waits for an account", () => {
  // Accounts are read in the order in which the server had them.
  const orders = permute(MESSAGES).filter(
    (order) => order.indexOf("none yet") < order.indexOf("one now"),
  );

  it("follows the connection once, in every order of what the server reports", () => {
    for (const order of orders) {
      const page = createPage();
      for (const message of order) page.take(createEvent(message, page.state()));
      expect(page.starts, order.join(", ")).toEqual(["present"]);
      page.take(answer());
      expect(page.starts).toEqual(["present"]);
      expect(readScreen(page.state()).is).toBe("done");
    }
  });

  it("waits while no account is known to be there", () => {
    const page = createPage();
    page.take({ type: "asked" });
    expect([page.starts, waitsForAccount(page.state())]).toEqual([[], false]);
    page.take({ type: "accounts", accounts: "missing" });
    expect([page.starts, waitsForAccount(page.state())]).toEqual([[], true]);
    expect(readScreen(page.state())).toEqual({ is: "empty", waitsForAccount: true });
  });

  it.each(["missing", "refused"] as const)(
    "follows a connection after a run that failed with a %s account, whichever comes first",
    (failure) => {
      const events: RunEvent[] = [
        answer(failure),
        { type: "connected" },
        { type: "accounts", accounts: "present" },
      ];
      for (const order of permute(events)) {
        const page = createPage();
        page.take({ type: "asked" });
        page.take({ type: "accounts", accounts: "present" });
        for (const event of order) page.take(event);
        expect(page.starts).toEqual(["present", "present"]);
        expect(readScreen(page.state()).is).toBe("running");
      }
    },
  );

  it("does not follow a connection after a run that failed for another reason", () => {
    const page = createPage();
    page.take({ type: "accounts", accounts: "present" });
    page.take({ type: "asked" });
    page.take(answer("other"));
    page.take({ type: "connected" });
    expect(page.starts).toEqual(["present"]);
    expect(readScreen(page.state())).toMatchObject({ is: "failed", failure: failWith("other") });
  });
});

describe("what the result shows", () => {
  /** The five kinds of event that arrive from the server during a run. */
  const EVENTS: readonly RunEvent[] = [
    { type: "accounts", accounts: "missing" },
    { type: "accounts", accounts: "present" },
    { type: "connected" },
    answer("missing"),
    { type: "page", run: { ...createRun("1", undefined, 20), state: "running" } },
  ];

  it("is one thing without a contradiction, in all 120 orders, before and during a run", () => {
    for (const order of permute(EVENTS)) {
      for (const isAsked of [false, true]) {
        const page = createPage();
        if (isAsked) {
          page.take({ type: "asked" });
          page.take({ type: "accounts", accounts: "present" });
        }
        for (const event of order) page.take(event);
      }
    }
  });

  it("is the run in progress, without the failure of the run before it", () => {
    const page = createPage();
    page.take({ type: "accounts", accounts: "present" });
    page.take({ type: "asked" });
    page.take(answer("other"));
    page.take({ type: "asked" });
    expect(readScreen(page.state())).toMatchObject({ is: "running" });
  });

  it("keeps the rows of a table when the request for more fails, and takes only later pages", () => {
    const table = { ...createRun("7", undefined, 10), kind: "rows", state: "paused" } as const;
    const page = createPage();
    page.take({ type: "answered", run: table });
    page.take({ type: "continued" });
    page.take({ type: "page", run: { ...table, state: "running", rowCount: 30 } });
    page.take({ type: "page", run: { ...table, state: "running", rowCount: 20 } });
    page.take({ type: "page", run: { ...table, id: "6", state: "running", rowCount: 90 } });
    expect(page.state().run?.rowCount).toBe(30);
    const failure = { code: "SERVER_GONE", message: "packsmith dev is not reachable." };
    page.take({ type: "failed", failure });
    expect(readScreen(page.state())).toMatchObject({ is: "refused", failure, run: { id: "7" } });
  });
});

function permute<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permute(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
