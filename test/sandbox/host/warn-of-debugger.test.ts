import { expect, it } from "vitest";
import { warnOfDebugger } from "../../../src/sandbox/host/warn-of-debugger.ts";

it("only a machine without a confinement leaves a Pack that is debugged without isolation", () => {
  expect(warnOfDebugger("none")).toContain("is not isolated");
  for (const name of ["bwrap", "unshare", "sandbox-exec"] as const) {
    expect(warnOfDebugger(name)).toContain(`only the kernel (${name}) denies it files`);
    expect(warnOfDebugger(name)).not.toContain("not isolated");
  }
});
