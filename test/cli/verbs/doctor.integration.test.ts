import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openVault } from "../../../src/accounts/vault.ts";
import type { Examination } from "../../../src/doctor/examination.ts";
import { listenOnLoopback } from "../../../src/shared/loopback-server.ts";
import { makeAccount, makeTokenSet } from "../../support/accounts.ts";
import { createCanary, findCanaries } from "../../support/canaries.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { makeProject } from "../../support/project.ts";
import { setUpDoctor } from "./doctor-project.ts";

const setUp = (files: Record<string, string> = {}) => setUpDoctor(runCli, files);

describe("packsmith doctor", () => {
  it("prints a line for each part, its fix below it, and the verdict on stderr", async () => {
    using run = setUp();
    const { stdout, stderr } = await run.doctor({ HTTPS_PROXY: "nonsense" });
    expect(stdout).toContain(
      "warning  proxy       HTTPS_PROXY is not a valid URL.\n                     → Write a URL such as http://proxy.example:8080.\n",
    );
    expect(stderr.replace(/\d+ ms/, "N ms").replace(/, \d+ notes?/, "")).toBe(
      "ready to use  1 warning  N ms\n",
    );
  });

  it("refuses a port that is none, with exit code 2", async () => {
    using run = setUp();
    expect(await run.doctor({}, ["--ports", "3000,x"])).toMatchObject({ code: 2 });
  });
});

describe("packsmith doctor: the vault", () => {
  it.skipIf(process.platform === "win32")(
    "ends with 1 when others can read it, and says how to fix that",
    async () => {
      using run = setUp();
      writeFileSync(join(run.home.path, "vault.db"), "");
      chmodSync(join(run.home.path, "vault.db"), 0o644);
      const { code, found } = await run.findings("vault");
      const path = join(run.home.path, "vault.db");
      expect({ code, found }).toEqual({
        code: 1,
        found: [
          {
            check: "vault",
            status: "problem",
            message: `${path} can be read by other users, so it is not safe for credentials.`,
            hint: `Run: chmod 600 ${path}`,
          },
        ],
      });
    },
  );

  it("lists accounts that must be connected again or have lost their Pack, without a secret", async () => {
    using run = setUp({ "pack.ts": "" });
    const secret = "doctor-canary~+/91ab==";
    const pack = join(run.project.path, "pack.ts");
    {
      await using vault = await openVault({ directory: run.home.path });
      const account = makeAccount({
        client: { clientId: "client-1", clientSecret: secret },
        tokenSet: makeTokenSet({ accessToken: secret }),
      });
      await vault.save({
        ...account,
        pack: "tasks",
        key: { pack, slot: "user", name: "default" },
      });
      await vault.markReconnect(
        { pack, slot: "user", name: "default" },
        "the provider said invalid_grant",
      );
      await vault.save({
        ...account,
        pack: "moved",
        key: { pack: join(run.project.path, "moved.ts"), slot: "user", name: "default" },
      });
    }
    const { code, found, text } = await run.findings("vault");
    expect({ code, statuses: found.map(({ status }) => status).sort() }).toEqual({
      code: 0,
      statuses: ["fine", "note", "warning"],
    });
    expect(found.find(({ status }) => status === "warning")).toMatchObject({
      message:
        'The account "default" of tasks must be connected again: the provider said invalid_grant.',
      hint: `Run packsmith auth connect ${pack}.`,
    });
    expect(findCanaries(text, [createCanary("secret", secret)])).toEqual([]);
  });

  it("asks whether the server of DATABASE_URL answers, without its password", async () => {
    using run = setUp();
    const server = await listenOnLoopback(() => {}, 0);
    await server.close();
    const { code, found, text } = await run.findings("vault", {
      DATABASE_URL: `postgres://ada:doctor-password-5e1@127.0.0.1:${server.port}/accounts`,
    });
    expect({ code, status: found[0]?.status }).toEqual({ code: 1, status: "problem" });
    expect(found[0]?.message).toBe(
      `The vault is on the server of DATABASE_URL, but 127.0.0.1:${server.port} cannot be reached.`,
    );
    expect(text).not.toContain("doctor-password");
  });

  it("says that a key cannot go to a keychain that is not there, or to a place with an unknown name", async () => {
    using run = setUp();
    expect(
      await run.findings("keychain", { PACKSMITH_KEY_STORE: "keychain", PATH: "" }),
    ).toMatchObject({ code: 1 });
    const { code, found } = await run.findings("keychain", { PACKSMITH_KEY_STORE: "pocket" });
    expect({ code, found }).toMatchObject({
      code: 1,
      found: [
        { status: "problem", hint: "Set PACKSMITH_KEY_STORE to file or keychain, or unset it." },
      ],
    });
  });
});

describe("packsmith doctor: the machine", () => {
  it.skipIf(process.platform !== "linux")("says who has a port", async () => {
    using run = setUp();
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    try {
      const { code, found } = await run.findings("ports", {}, ["--ports", String(port)]);
      expect(code).toBe(0);
      expect(found.find(({ message }) => message.includes(String(port)))).toMatchObject({
        status: "warning",
        message: expect.stringMatching(
          new RegExp(`^Port ${port} is in use by .+ \\(process ${process.pid}\\)\\.$`),
        ),
      });
    } finally {
      server.close();
    }
  });

  it("shows a proxy's host and never its password", async () => {
    using run = setUp();
    const { code, found, text } = await run.findings("proxy", {
      https_proxy: "http://ada:doctor-password-77@proxy.example:8080",
    });
    expect(code).toBe(0);
    expect(found[0]?.message).toContain("HTTPS_PROXY (proxy.example:8080)");
    expect(text).not.toContain("doctor-password");
  });

  it("warns of variables that weaken or miss certificates", async () => {
    using run = setUp();
    const { found } = await run.findings("node", {
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      NODE_EXTRA_CA_CERTS: "/nowhere/ca.pem",
    });
    expect(found.map(({ status }) => status)).toEqual(["fine", "warning", "warning"]);
  });

  it("warns when files are later than the clock", async () => {
    using run = setUp();
    const later = new Date(Date.now() + 3 * 3_600_000);
    utimesSync(join(run.project.path, "package.json"), later, later);
    const { found } = await run.findings("clock");
    expect(found).toMatchObject([
      {
        status: "warning",
        message: expect.stringMatching(
          /^The clock is behind: .*package\.json has a date that is 1(79|80) minutes /,
        ),
      },
    ]);
  });

  it("warns of a cache that cannot be written, and stops at an accounts' folder that cannot", async () => {
    using run = setUp();
    writeFileSync(join(run.home.path, "file"), "");
    const cache = { PACKSMITH_CACHE: join(run.home.path, "file", "cache") };
    expect(await run.findings("disk", cache)).toMatchObject({
      code: 0,
      found: [{ status: "warning" }],
    });
    expect(
      await run.findings("disk", { PACKSMITH_HOME: join(run.home.path, "file", "home") }),
    ).toMatchObject({ code: 1 });
  });
});

describe("packsmith doctor: the project", () => {
  it("warns when another version runs than the files import, and of further copies", async () => {
    using run = setUp({
      "folder/package.json": "{}",
      "folder/node_modules/packsmith/package.json": '{"version":"0.0.9"}',
    });
    mkdirSync(join(run.project.path, "folder/node_modules/other/node_modules/packsmith"), {
      recursive: true,
    });
    run.project.write(
      "folder/node_modules/other/node_modules/packsmith/package.json",
      '{"version":"0.0.8"}',
    );
    const { code, json } = await runCli(["doctor", "--json"], {
      cwd: join(run.project.path, "folder"),
      env: { PACKSMITH_HOME: run.home.path },
    });
    const found = json<Examination>().findings.filter(({ check }) => check === "packages");
    expect({ code, found }).toMatchObject({
      code: 0,
      found: [
        {
          status: "warning",
          message: expect.stringMatching(
            /^packsmith \S+ is running, but the project's files import version 0\.0\.9 from node_modules/,
          ),
        },
        {
          status: "warning",
          message: expect.stringMatching(/^packsmith is installed 3 times: .*0\.0\.9.*0\.0\.8/),
          hint: expect.any(String),
        },
      ],
    });
  });

  it("reports a TypeScript that is missing or too old", async () => {
    using folder = makeProject({ "package.json": "{}" });
    const typescript = async () => {
      const { json } = await runCli(["doctor", "--json"], {
        cwd: folder.path,
        env: { PACKSMITH_HOME: folder.path },
      });
      return json<Examination>().findings.find(({ check }) => check === "typescript");
    };
    expect(await typescript()).toMatchObject({
      status: "note",
      hint: "Run npm install --save-dev typescript.",
    });
    folder.write(
      "node_modules/typescript/package.json",
      '{"version":"4.8.4","bin":{"tsc":"bin/tsc"}}',
    );
    expect(await typescript()).toMatchObject({
      status: "warning",
      message: expect.stringContaining("TypeScript 4.8.4"),
    });
  });
});
