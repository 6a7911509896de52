import { describe, expect, it } from "vitest";
import { checkSandbox } from "../../src/doctor/check-sandbox.ts";

describe("the layers that hold a Pack", () => {
  it.each([
    [
      "linux",
      "bwrap",
      true,
      "fine",
      /bwrap: no files, network or other processes, no sockets/,
      undefined,
    ],
    ["linux", "unshare", false, "note", /unshare: no files/, /Install bubblewrap/],
    ["darwin", "sandbox-exec", false, "fine", /sandbox-exec: no files/, undefined],
    ["linux", "none", false, "note", /does not block the network/, /allow user namespaces/],
    [
      "darwin",
      "none",
      false,
      "note",
      /no restrictions from the operating system's kernel/,
      /sandbox-exec does not work/,
    ],
    [
      "win32",
      "none",
      false,
      "note",
      /no restrictions from the operating system's kernel/,
      /Packs that you trust/,
    ],
  ] as const)("on %s with %s", (platform, name, filtersCalls, status, message, hint) => {
    const findings = checkSandbox({ platform }, { name, filtersCalls });
    expect(findings).toMatchObject([{ check: "sandbox", status }]);
    expect(findings[0]?.message).toMatch(message);
    if (hint === undefined) expect(findings[0]?.hint).toBeUndefined();
    else expect(findings[0]?.hint).toMatch(hint);
  });
});
