import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { readClientCredentials } from "../../src/cli/client-credentials.ts";
import { createRedactor } from "../../src/shared/redact.ts";

it("in a terminal the redirect URI is shown before the client ID is asked for", async () => {
  let shown = "";
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  stderr.on("data", (chunk) => (shown += String(chunk)));
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const streams = { stdin, stdout: new PassThrough(), stderr, cwd: "/", env: {} };
  const redirectUri = "http://127.0.0.1/oauth/callback/tasks-1";
  const reading = readClientCredentials(
    {},
    { privateKey: false, certificate: false, redirectUri },
    streams as unknown as Parameters<typeof readClientCredentials>[2],
    createRedactor(),
  );
  const answer = async (question: RegExp, text: string) => {
    while (!question.test(shown)) await setImmediate();
    expect(shown.startsWith(`redirect URI to register with the provider: ${redirectUri}\n`)).toBe(
      true,
    );
    stdin.write(`${text}\r`);
  };
  await answer(/Client ID/, "client-1");
  await answer(/Client secret/, "planted-secret");
  expect(await reading).toEqual({ clientId: "client-1", clientSecret: "planted-secret" });
  expect(shown).not.toContain("planted-secret");
});
