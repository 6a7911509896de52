import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCliServer } from "../../support/cli.ts";
import { runCli } from "../../support/cli-in-process.ts";
import { makeClientCertificate } from "../../support/client-certificates.ts";
import { makeProject } from "../../support/project.ts";
import { makeSigningKeys } from "../../support/signing-keys.ts";

describe("a private key instead of a client secret", () => {
  it("comes from a file, the environment or stdin, and is shown nowhere", async () => {
    const keys = makeSigningKeys();
    using project = makeProject({
      "private.pem": keys.privateKey,
      "public.pem": keys.publicKey,
      "package.json": '{ "name": "keyed", "type": "module" }',
      "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("keys.example").setSystemAuthentication({
  type: "OAuth2ClientCredentials", tokenUrl: "https://login.keys.example/token", clientAuthentication: "private_key_jwt",
});
`,
    });
    const served = [
      "provider",
      "--public-key",
      "public.pem",
      "--audience",
      "https://login.keys.example/token",
    ];
    await using provider = await startCliServer<{ issuer: string }>(served, { cwd: project.path });
    const route = `https://login.keys.example=${provider.facts.issuer}`;
    const connect = [
      "auth",
      "connect",
      "pack.ts",
      "--system",
      "--client-id",
      "packsmith-key-client",
      "--route",
      route,
    ];
    const options = { cwd: project.path, env: { PACKSMITH_HOME: join(project.path, "home") } };
    const runs = [
      await runCli([...connect, "--client-key-file", "private.pem"], options),
      await runCli(connect, {
        ...options,
        env: { ...options.env, PACKSMITH_CLIENT_SECRET: keys.privateKey.replaceAll("\n", "\\n") },
      }),
      await runCli([...connect, "--client-secret-stdin"], { ...options, stdin: keys.privateJwk }),
    ];
    const { d } = JSON.parse(keys.privateJwk) as { d: string };
    const lines = keys.privateKey
      .split("\n")
      .filter((line) => line.length > 16 && !line.startsWith("-----"));
    for (const { code, stdout, stderr } of runs) {
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining("client authentication: private_key_jwt"),
      ]);
      for (const secret of [d, ...lines]) expect(stdout + stderr).not.toContain(secret);
    }
    const missing = await runCli(
      [...connect, "--client-key-file", "nothing.pem", "--json"],
      options,
    );
    expect([missing.code, missing.json()]).toMatchObject([
      2,
      { ok: false, error: { code: "USAGE_INVALID" } },
    ]);
  });
});

describe("a TLS certificate instead of a client secret", () => {
  it("comes from PEM files, the environment or stdin, is shown nowhere, and an error names the file", async () => {
    const own = makeClientCertificate();
    const expired = makeClientCertificate(() => Date.now() - 30 * 86_400_000);
    using project = makeProject({
      "client.pem": own.certificate,
      "client.key": own.privateKey,
      "both.pem": own.both,
      "other.key": makeClientCertificate().privateKey,
      "old.pem": expired.certificate,
      "old.key": expired.privateKey,
      "text.pem": "no certificate",
      "package.json": '{ "name": "certified", "type": "module" }',
      "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("certs.example").setSystemAuthentication({
  type: "OAuth2ClientCredentials", tokenUrl: "https://login.certs.example/token", clientAuthentication: "tls_client_auth",
});
`,
    });
    const served = ["provider", "--client-certificate", "client.pem", "--bound-tokens"];
    await using provider = await startCliServer<{ mutualTls: { origin: string } }>(served, {
      cwd: project.path,
    });
    const route = `https://login.certs.example=${provider.facts.mutualTls.origin}`;
    const connect = [
      "auth",
      "connect",
      "pack.ts",
      "--system",
      "--client-id",
      "packsmith-certificate-client",
      "--route",
      route,
    ];
    const options = { cwd: project.path, env: { PACKSMITH_HOME: join(project.path, "home") } };
    const files = (certificate: string, key: string) => [
      ...connect,
      "--certificate-file",
      certificate,
      "--client-key-file",
      key,
    ];
    const runs = [
      await runCli(files("client.pem", "client.key"), options),
      await runCli([...connect, "--certificate-file", "both.pem"], options),
      await runCli(connect, {
        ...options,
        env: { ...options.env, PACKSMITH_CLIENT_SECRET: own.both.replaceAll("\n", "\\n") },
      }),
      await runCli([...connect, "--client-secret-stdin"], { ...options, stdin: own.both }),
      await runCli(["auth", "refresh", "pack.ts", "--system", "--route", route], options),
    ];
    for (const { code, stdout, stderr } of runs) {
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      for (const line of own.lines) expect(stdout + stderr).not.toContain(line);
    }
    expect(runs[0]?.stderr).toContain("client authentication: tls_client_auth");
    for (const [args, code, error, text] of [
      [
        files("text.pem", "client.key"),
        12,
        "OAUTH_CERTIFICATE_INVALID",
        "text.pem contains no certificate",
      ],
      [
        files("client.pem", "other.key"),
        12,
        "OAUTH_CERTIFICATE_INVALID",
        "other.key does not belong to client.pem",
      ],
      [
        files("client.pem", "text.pem"),
        12,
        "OAUTH_CERTIFICATE_INVALID",
        "text.pem contains no private key",
      ],
      [files("old.pem", "old.key"), 12, "OAUTH_CERTIFICATE_INVALID", "old.pem expired on"],
      [files("nothing.pem", "client.key"), 2, "USAGE_INVALID", "nothing.pem cannot be read"],
      [files("client.pem", "nothing.key"), 2, "USAGE_INVALID", "nothing.key cannot be read"],
      [
        [...connect, "--client-key-file", "client.key"],
        2,
        "USAGE_INVALID",
        "the certificate is missing",
      ],
    ] as const) {
      const run = await runCli([...args, "--json"], options);
      expect([run.code, run.json()]).toMatchObject([
        code,
        { ok: false, error: { code: error, message: expect.stringContaining(text) } },
      ]);
    }
    const refused = await runCli(
      ["provider", "--client-certificate", "client.key", "--json"],
      options,
    );
    expect([refused.code, refused.json()]).toMatchObject([
      2,
      { error: { code: "USAGE_INVALID", message: expect.stringContaining("client.key") } },
    ]);
  });
});
