import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createOutput } from "../../src/cli/output.ts";
import { PackError } from "../../src/errors.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { runCli } from "../support/cli.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const main = fileURLToPath(new URL("../../dist/bin/packsmith.cjs", import.meta.url));

function writePack(body: string): string {
  return `import { newPack, ValueType } from "packsmith";
export const pack = newPack();
pack.addFormula({ name: "Run", description: "Runs.", parameters: [], resultType: ValueType.String, execute: async (_args, context) => { ${body} } });`;
}

describe("the command line", () => {
  // docs/rules.md: rule 29
  it.each([[[]], [["--json"]]])(
    "does not repeat a secret that was given to an option which does not exist: %j",
    async (flags) => {
      const run = await runCli([
        "auth",
        "connect",
        "pack.ts",
        "--client-secret=planted-'secret",
        ...flags,
      ]);
      expect(run.code).toBe(2);
      expect(run.stdout + run.stderr).toContain("--client-secret");
      expect(run.stdout + run.stderr).not.toContain("planted");
    },
  );

  // docs/rules.md: rule 13
  it("prints no control character of others, also with --debug", async () => {
    const hostile = "\u001b]0;title\u0007 \u001b[2J \u009b31m \u202e end";
    const stderr = new PassThrough();
    const stdout = new PassThrough();
    const output = createOutput(
      { stdout, stderr, stdin: process.stdin, env: {}, cwd: "/" },
      false,
      createRedactor(),
    );
    output.progress(hostile);
    output.data(hostile);
    output.error(
      new PackError("INTERNAL", hostile, {
        details: undefined,
        hint: hostile,
        cause: new Error(hostile),
      }),
      true,
    );
    const printed = `${String(stderr.read())}${String(stdout.read())}`;
    expect(printed).toContain("caused by");
    expect(printed).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it("keeps its own colours, and nobody else's", () => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true });
    const output = createOutput(
      { stdout: new PassThrough(), stderr, stdin: process.stdin, env: {}, cwd: "/" },
      false,
      createRedactor(),
    );
    output.progress("\u001b[32mfine\u001b[39m \u001b[8mhidden");
    expect(String(stderr.read())).toBe("\u001b[32mfine\u001b[39m [8mhidden\n");
  });

  it.runIf(existsSync("/dev/full"))("says that a full disk took none of its output", async () => {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [main, "schema", "upload"], {
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    let stderr = "";
    child.stderr?.on("data", (chunk) => {
      stderr += String(chunk);
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, stderr]).toEqual([
      1,
      "error OUTPUT_NOT_WRITABLE  The output cannot be written: the disk is full.\n",
    ]);
  });

  it("ends quietly when nobody reads its output any more", async () => {
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "pack.ts"), writePack(`return "x".repeat(1000000);`));
    const child = spawn(process.execPath, [main, "execute", "pack.ts", "Run"], {
      cwd: folder.path,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk);
    });
    await new Promise((resolve) => child.on("close", resolve));
    expect(stderr).toBe("");
  });

  it.each<NodeJS.Signals>(["SIGINT", "SIGTERM"])(
    "a formula that does not end is interrupted by %s with exit code 130",
    async (signal) => {
      using folder = makeTemporaryFolder();
      // The request of the formula shows that it runs.
      const server = createServer((_request, response) =>
        response.end("{}", () => child.kill(signal)),
      );
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const route = `https://api.example.com=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const body = `await context.fetcher.fetch({ method: "GET", url: "https://api.example.com/" }); await new Promise(() => undefined); return "";`;
      await writeFile(
        join(folder.path, "pack.ts"),
        `${writePack(body)}\npack.addNetworkDomain("api.example.com");`,
      );
      const args = [main, "execute", "pack.ts", "Run", "--json", "--route", route];
      const child = spawn(process.execPath, args, { cwd: folder.path, stdio: "pipe" });
      let stdout = "";
      child.stdout.on("data", (chunk) => {
        stdout += String(chunk);
      });
      const code = await new Promise((resolve) => child.on("close", resolve));
      server.close();
      server.closeAllConnections();
      expect(code).toBe(130);
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: "INTERRUPTED" } });
    },
  );
});
