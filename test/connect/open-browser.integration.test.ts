import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openSystemBrowser } from "../../src/connect/open-browser.ts";
import { useServerTime } from "../../src/shared/time.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

afterEach(() => void vi.unstubAllEnvs());

describe("openSystemBrowser", () => {
  // docs/rules.md: rule 29
  it.runIf(process.platform === "linux")(
    "gives the browser the link as one argument, whatever it contains",
    async () => {
      using folder = makeTemporaryFolder();
      const record = join(folder.path, "arguments");
      const program = join(folder.path, "browser");
      writeFileSync(
        program,
        `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${record}.part' && mv '${record}.part' '${record}'\n`,
      );
      chmodSync(program, 0o700);
      vi.stubEnv("BROWSER", program);
      const pwned = join(folder.path, "pwned");
      // As an authorization URL could hold them; a URL percent-encodes double quotes and spaces,
      // and leaves these as they are.
      const link = `https://login.tasks.example/authorize?a=;touch\${IFS}${pwned};&b=$(touch\${IFS}${pwned})&c='|touch\${IFS}${pwned}'`;
      await openSystemBrowser(link, () => {});
      await expect.poll(() => existsSync(record)).toBe(true);
      const [count, ...given] = readFileSync(record, "utf8").trimEnd().split("\n");
      expect([count, ...given]).toEqual(["1", link]);
      expect(existsSync(pwned)).toBe(false);
    },
  );

  it.runIf(process.platform === "linux")(
    "leaves the browser the user's own time zone, while Packs have that of a server",
    async () => {
      using folder = makeTemporaryFolder();
      const record = join(folder.path, "zone");
      const program = join(folder.path, "browser");
      writeFileSync(
        program,
        `#!/bin/sh\nprintf '%s' "$TZ" > '${record}.part' && mv '${record}.part' '${record}'\n`,
      );
      chmodSync(program, 0o700);
      vi.stubEnv("BROWSER", program);
      vi.stubEnv("TZ", "America/New_York");
      useServerTime();
      expect(new Date(0).getHours()).toBe(0);
      await openSystemBrowser("https://login.tasks.example/", () => {});
      await expect.poll(() => existsSync(record)).toBe(true);
      expect(readFileSync(record, "utf8")).toBe("America/New_York");
      expect(new Date(0).getHours()).toBe(0);
    },
  );

  // docs/rules.md: rule 29
  it.each(["file:///etc/passwd", "javascript:alert(1)", "packsmith:x"])(
    "opens no %s",
    async (link) => {
      await expect(openSystemBrowser(link, () => {})).rejects.toThrow(TypeError);
    },
  );
});
