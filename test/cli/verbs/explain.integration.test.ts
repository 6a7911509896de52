import { describe, expect, it } from "vitest";
import { CHANGE_CODES } from "../../../src/compare/change-codes.ts";
import { PACK_ERROR_CODES } from "../../../src/errors.ts";
import { ISSUE_CODES } from "../../../src/validate/codes.ts";
import { runCli } from "../../support/cli-in-process.ts";

describe("packsmith explain", () => {
  it("says what a code means, why it exists, and shows a bad and a good example", async () => {
    const { code, stdout, stderr } = await runCli(["explain", "network_domain_duplicate"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatchInlineSnapshot(`
      "NETWORK_DOMAIN_DUPLICATE  warning
      A network domain is declared twice.

      The second declaration of a domain has no effect. Host names are not case-sensitive. Remove one of the two declarations.

      Bad
        pack.addNetworkDomain("tasks.example", "Tasks.example");

      Good
        pack.addNetworkDomain("tasks.example");
      "
    `);
  });

  it("explains errors, too, and gives everything as JSON", async () => {
    const { json } = await runCli(["explain", "PORT_IN_USE", "--json"]);
    expect(json()).toMatchObject({
      ok: true,
      code: "PORT_IN_USE",
      kind: "error",
      severity: "error",
      good: "packsmith provider",
    });
  });

  it("explains changes, too, with the Pack before and after", async () => {
    const { code, stdout } = await runCli(["explain", "domain_added"]);
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "DOMAIN_ADDED  review
      The Pack can send requests to an additional domain.

      The registry must approve the new domain before other users can use the version.

      Before
        pack.addNetworkDomain("tasks.example");

      After
        pack.addNetworkDomain("tasks.example"); pack.addNetworkDomain("files.example");
      "
    `);
  });

  it("lists every code", async () => {
    const { json } = await runCli(["explain", "--json"]);
    const { codes } = json<{ codes: { code: string }[] }>();
    expect(codes.map(({ code }) => code)).toEqual([
      ...Object.keys(ISSUE_CODES),
      ...PACK_ERROR_CODES,
      ...Object.keys(CHANGE_CODES),
    ]);
    const { stdout } = await runCli(["explain"]);
    expect(stdout.split("\n").find((line) => line.startsWith("KEY_UNKNOWN"))).toMatch(
      /^KEY_UNKNOWN +error +A key is unknown and has no effect\.$/,
    );
  });

  it("suggests the nearest code for one that does not exist, with exit code 2", async () => {
    const { code, stderr } = await runCli(["explain", "key_unknwn"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'error CODE_UNKNOWN  "key_unknwn" is not a code of packsmith.\n  → Did you mean KEY_UNKNOWN? Run packsmith explain KEY_UNKNOWN.\n',
    });
    const part = await runCli(["explain", "OAUTH_STATE"]);
    expect(part.stderr).toContain(
      "→ Did you mean OAUTH_STATE_MISMATCH? Run packsmith explain OAUTH_STATE_MISMATCH.",
    );
    const several = await runCli(["explain", "HEADLESS"]);
    expect(several.stderr).toContain(
      "→ Did you mean one of OAUTH_HEADLESS_REFUSED, OAUTH_HEADLESS_ENDED?",
    );
    const { json } = await runCli(["explain", "x".repeat(1000), "--json"]);
    expect(json()).toMatchObject({
      ok: false,
      error: { code: "CODE_UNKNOWN", hint: "Run packsmith explain to list all codes." },
    });
  });
});
