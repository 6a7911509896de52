import { describe, expect, it } from "vitest";
import { findKeychain } from "../../../src/accounts/keychain.ts";
import { openVault } from "../../../src/accounts/vault.ts";
import type { Examination } from "../../../src/doctor/examination.ts";
import { runCli } from "../../support/cli.ts";
import { describeKeyring, startKeyring } from "../../support/keyring.ts";
import { setUpDoctor } from "./doctor-project.ts";

const setUp = () => setUpDoctor(runCli);

describe("packsmith doctor", () => {
  it("finds nothing to fix in a plain project, creates no vault, and ends with 0", async () => {
    using run = setUp();
    const { code, json } = await run.doctor({ DISPLAY: ":0" }, ["--json"]);
    const { ok, findings, durationMs } = json<Examination>();
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(durationMs).toBeGreaterThan(0);
    expect([...new Set(findings.map(({ check }) => check))]).toEqual(
      "node packages typescript native loopback ports proxy browser vault keychain disk clock sandbox".split(
        " ",
      ),
    );
    expect(findings.find(({ check }) => check === "packages")?.message).toMatch(
      /^packsmith \d\S+ is running\. The project has installed this version\.$/,
    );
    expect(findings.find(({ check }) => check === "vault")?.message).toBe(
      `There is no vault yet. packsmith auth connect creates a vault in ${run.home.path}.`,
    );
    expect(() => run.home.read("vault.db")).toThrow();
  });

  // Node reads the variables of proxies since 22.21.
  it.skipIf(Number.parseInt(process.versions.node, 10) < 24)(
    "ends with 1 when a proxy stands between servers of this machine",
    async () => {
      using run = setUp();
      const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://127.0.0.1:9" };
      expect(await run.findings("loopback", env)).toMatchObject({
        code: 1,
        found: [
          {
            status: "problem",
            message: "A server on 127.0.0.1 cannot be reached.",
            hint: expect.stringContaining("NO_PROXY=127.0.0.1"),
          },
        ],
      });
      expect(
        await run.findings("loopback", { ...env, NO_PROXY: "127.0.0.1,localhost" }),
      ).toMatchObject({ code: 0 });
    },
  );
});

describeKeyring("packsmith doctor: a real keyring", () => {
  it("says whether it answers, and stops where it holds the key and is locked", async () => {
    using run = setUp();
    await using keyring = await startKeyring();
    const env = { ...keyring.env, PACKSMITH_KEY_STORE: "auto" };
    expect(await run.findings("keychain", env)).toMatchObject({
      code: 0,
      found: [{ status: "fine", message: expect.stringMatching(/is available\.$/) }],
    });
    {
      const keychain = findKeychain({ env, platform: "linux" });
      await using _vault = await openVault({
        directory: run.home.path,
        keyStore: { prefer: "keychain", keychain },
      });
    }
    expect(await run.findings("vault", env)).toMatchObject({
      code: 0,
      found: [{ status: "fine" }],
    });
    await keyring.restart("locked");
    const { code, found } = await run.findings("vault", env);
    expect({ code, found }).toMatchObject({
      code: 1,
      found: [{ status: "problem", hint: expect.stringContaining("Unlock the keychain") }],
    });
  });
});
