import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openSystemBrowser } from "../../src/commands/open-browser.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const browser = process.env["BROWSER"];
afterEach(() => {
  if (browser === undefined) delete process.env["BROWSER"];
  else process.env["BROWSER"] = browser;
});

describe("openSystemBrowser", () => {
  it.runIf(process.platform === "linux")("rule 29: gives the browser the link as one argument, whatever it contains", async () => {
    using folder = makeTemporaryFolder();
    const record = join(folder.path, "arguments");
    const program = join(folder.path, "browser");
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${record}.part' && mv '${record}.part' '${record}'\n`);
    chmodSync(program, 0o700);
    process.env["BROWSER"] = program;
    const pwned = join(folder.path, "pwned");
    // As an authorization URL could hold them; a URL percent-encodes double quotes and spaces, and leaves these as they are.
    const link = `https://login.tasks.example/authorize?a=;touch\${IFS}${pwned};&b=$(touch\${IFS}${pwned})&c='|touch\${IFS}${pwned}'`;
    await openSystemBrowser(link, () => {});
    await expect.poll(() => existsSync(record), { timeout: 5_000 }).toBe(true);
    const [count, ...given] = readFileSync(record, "utf8").trimEnd().split("\n");
    expect([count, ...given]).toEqual(["1", link]);
    expect(existsSync(pwned)).toBe(false);
  });

  it.each(["file:///etc/passwd", "javascript:alert(1)", "packsmith:x"])("rule 29: opens no %s", async (link) => {
    await expect(openSystemBrowser(link, () => {})).rejects.toThrow(TypeError);
  });
});
