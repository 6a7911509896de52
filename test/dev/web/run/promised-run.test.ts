import { describe, expect, it } from "vitest";
import {
  advance,
  NOTHING_ASKED,
  type PromisedRun,
  type RunEvent,
  showsFailure,
  startsNow,
  waitsForAccount,
} from "../../../../src/dev/web/run/promised-run.ts";

type Message = "run" | "none yet" | "connected" | "one now" | "saved";

/** What arrives at the page when an account is connected for a run, each once, in any order. */
const MESSAGES: readonly Message[] = ["run", "none yet", "connected", "one now", "saved"];

/** Accounts are read in the order in which the server had them. */
const orders = permute(MESSAGES).filter(
  (order) => order.indexOf("none yet") < order.indexOf("one now"),
);

function createEvent(message: Message, { accounts }: PromisedRun): RunEvent {
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
  let run: PromisedRun = NOTHING_ASKED;
  const starts: string[] = [];
  const take = (event: RunEvent): void => {
    run = advance(run, event);
    if (!startsNow(run)) return;
    starts.push(run.accounts);
    run = advance(run, { type: "started" });
  };
  return { take, starts, state: () => run };
}

describe("the run that waits for an account", () => {
  it("follows the connection once, in every order of what the server reports", () => {
    for (const order of orders) {
      const page = createPage();
      for (const message of order) page.take(createEvent(message, page.state()));
      expect(page.starts, order.join(", ")).toEqual(["present"]);
      page.take({ type: "answered", failure: undefined });
      expect(page.starts).toEqual(["present"]);
    }
  });

  it("waits while no account is known to be there", () => {
    const page = createPage();
    page.take({ type: "asked" });
    expect([page.starts, waitsForAccount(page.state())]).toEqual([[], false]);
    page.take({ type: "accounts", accounts: "missing" });
    expect([page.starts, waitsForAccount(page.state())]).toEqual([[], true]);
  });

  it.each(["missing", "refused"] as const)(
    "follows a connection after a run that failed with a %s account, whichever comes first",
    (failure) => {
      const events: RunEvent[] = [
        { type: "answered", failure },
        { type: "connected" },
        { type: "accounts", accounts: "present" },
      ];
      for (const order of permute(events)) {
        const page = createPage();
        page.take({ type: "asked" });
        page.take({ type: "accounts", accounts: "present" });
        for (const event of order) {
          page.take(event);
          const { isBusy, isConnected } = page.state();
          // No one reads "connected" or "Running…" above the failure for want of an account.
          if (isBusy || isConnected)
            expect(showsFailure(page.state())).toBe(page.state().failure === undefined);
        }
        expect(page.starts).toEqual(["present", "present"]);
      }
    },
  );

  it("does not follow a connection after a run that failed for another reason", () => {
    const page = createPage();
    page.take({ type: "accounts", accounts: "present" });
    page.take({ type: "asked" });
    page.take({ type: "answered", failure: "other" });
    page.take({ type: "connected" });
    expect(page.starts).toEqual(["present"]);
    expect(showsFailure(page.state())).toBe(true);
  });
});

function permute<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permute(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
