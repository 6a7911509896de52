import { describe, expect, it } from "vitest";
import { runCli } from "../../support/cli-in-process.ts";
import { makeProject } from "../../support/project.ts";

it("lists the profiles and what each imitates", async () => {
  const run = await runCli(["provider", "--list-profiles"]);
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/^strict +follows the specifications exactly\n/);
  expect(run.stdout).toMatch(/^nested-data +nests the tokens in data$/m);
  const document = (await runCli(["provider", "--list-profiles", "--json"])).json<{
    profiles: object[];
  }>();
  expect(document.profiles).toContainEqual({
    name: "nested-data",
    summary: "nests the tokens in data",
    needs: { nestedResponseKey: "data" },
  });
});

it.each([
  [["--profile", "nonsense"], "PROFILE_UNKNOWN"],
  [["--profile", "nested-data", "--profile", "nested-user"], "PROFILE_CONFLICT"],
])("refuses %j with %s", async (flags, code) => {
  const run = await runCli(["provider", ...flags, "--json"]);
  expect([run.code, run.json()]).toEqual([
    2,
    { ok: false, error: expect.objectContaining({ code }) },
  ]);
});

describe("provider --options", () => {
  it.each<[string, string, string, string]>([
    ["a file that does not exist", "missing.json", "", "cannot be read"],
    ["broken JSON", "provider.json", "{", "cannot be read"],
    [
      "a module that throws",
      "provider.mjs",
      'throw new Error("no options today");',
      "no options today",
    ],
    [
      "a module without a default export",
      "provider.mjs",
      "export const users = [];",
      "not contain an object",
    ],
    ["a list", "provider.json", "[]", "not contain an object"],
    ["an unknown option", "provider.json", '{"user":[]}', "unknown option user"],
    [
      "an answer without its kind",
      "provider.json",
      '{"faults":[{"status":503}]}',
      "Fault 0: kind must be",
    ],
    [
      "an answer with an impossible status",
      "provider.json",
      '{"faults":[{"kind":"response","status":99}]}',
      "status must be",
    ],
    ["users that are not a list", "provider.json", '{"users":5}', "users must be a list"],
    [
      "a lifetime in words",
      "provider.json",
      '{"accessTokenTtlSeconds":"soon"}',
      "accessTokenTtlSeconds must be a number",
    ],
    ["an unknown grant", "provider.json", '{"grants":["pasword"]}', "grants can have"],
    ["a client without an ID", "provider.json", '{"clients":[{"clientSecret":"x"}]}', "clients[0]"],
  ])("refuses %s, with the reason and without a stack", async (_name, file, text, reason) => {
    using project = makeProject(file === "missing.json" ? {} : { [file]: text });
    const run = await runCli(["provider", "--options", file, "--json"], { cwd: project.path });
    expect([run.code, run.json()]).toEqual([
      2,
      {
        ok: false,
        error: expect.objectContaining({
          code: "USAGE_INVALID",
          message: expect.stringContaining(reason),
          hint: expect.any(String),
        }),
      },
    ]);
    expect(run.stderr + run.stdout).not.toMatch(/\n\s+at /);
  });
});
