import { expect, it } from "vitest";
import { describeAccount } from "../../../src/execute/cassette/recorded-account.ts";
import { makeAccount } from "../../support/accounts.ts";

it("a recorded account has the variables of the connection, with made-up secrets", () => {
  const answers = {
    variables: { subdomain: "acme", pin: "planted-pin-0123456789" },
    callbackParams: { team: "blue" },
  };
  const recorded = describeAccount(makeAccount({ answers }), ["pin"], 0);
  expect(recorded.answers).toEqual({
    variables: { subdomain: "acme", pin: expect.any(String) },
    callbackParams: { team: "blue" },
  });
  expect(JSON.stringify(recorded)).not.toContain("planted-");
});
