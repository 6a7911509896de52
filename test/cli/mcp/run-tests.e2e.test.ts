import { describe, expect, it } from "vitest";
import { startToolsClient } from "../../support/tools-client.ts";

const project = (script: string) => ({
  "package.json": JSON.stringify({ name: "greetings", scripts: { test: script } }),
  "tests/one.test.js": "",
});

describe("the tool run_tests", () => {
  it("is not there until a person allows it", async () => {
    await using test = await startToolsClient(project("exit 0"));
    const { tools } = await test.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain("run_tests");
    await expect(test.client.callTool({ name: "run_tests", arguments: {} })).rejects.toThrow(
      /run_tests not found/,
    );
  });

  it("runs the script of the project, with the files that are named, and shows its end", async () => {
    const script =
      "node -e \"console.log('x'.repeat(30000)); console.error('ran', ...process.argv.slice(1)); process.exitCode = 3\" --";
    await using test = await startToolsClient(project(script), {}, ["--allow-tests"]);
    const answer = await test.call("run_tests", { files: ["tests/one.test.js"] });
    expect(answer).toMatchObject({ ok: true, passed: false, exitCode: 3 });
    expect(String(answer["output"]).length).toBe(20_000);
    expect(answer["output"]).toContain("ran tests/one.test.js");
  });

  it("says that tests pass, and takes no file from elsewhere", async () => {
    await using test = await startToolsClient(project("exit 0"), {}, ["--allow-tests"]);
    expect(await test.call("run_tests")).toMatchObject({ ok: true, passed: true, exitCode: 0 });
    const refused = await test.call("run_tests", { files: ["../other.test.js"] });
    expect(refused.error?.code).toBe("USAGE_INVALID");
  });
});
