import { expect, it } from "vitest";
import type { PackVersionDefinition } from "../../src/define/pack.ts";
import { openConnections } from "../../src/execute/open-connections.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const authentication = { type: "HeaderBearerToken", networkDomain: "tasks.example" } as const;
const definition = {
  networkDomains: ["tasks.example"],
  defaultAuthentication: authentication,
  systemConnectionAuthentication: authentication,
} as unknown as PackVersionDefinition;

it.each([
  ["the user when no account is connected", {}, "user"],
  [
    "the user when both accounts are given",
    { credentials: { token: "a" }, systemCredentials: { token: "b" } },
    "user",
  ],
  ["the Pack when only its own account is given", { systemCredentials: { token: "b" } }, "system"],
] as const)("requests use the account of %s", async (_, given, slot) => {
  using folder = makeTemporaryFolder();
  await using connections = await openConnections(
    { file: "pack.ts", cwd: folder.path, home: folder.path, redactor: createRedactor(), ...given },
    definition,
    { requirement: "optional", allowed: undefined },
    {},
  );
  expect(connections.slot).toBe(slot);
});
