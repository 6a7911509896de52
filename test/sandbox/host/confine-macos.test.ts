import { expect, it } from "vitest";
import {
  sandboxExecCommand,
  writeSandboxProfile,
} from "../../../src/sandbox/host/confine-macos.ts";

const NODE = '/Users/ana/.nvm/my "node"/bin/node';

it("a profile of macOS lets Node start, and denies everything else that can be denied", () => {
  expect(writeSandboxProfile(NODE, { sharesNetwork: false })).toMatchInlineSnapshot(`
    "(version 1)
    (allow default)
    (deny file-read-data)
    (allow file-read-data (subpath "/System") (subpath "/usr/lib") (subpath "/usr/share") (subpath "/Library/Apple") (subpath "/private/var/db/dyld") (subpath "/private/var/db/timezone") (subpath "/opt/homebrew") (subpath "/usr/local") (subpath "/opt/local") (subpath "/nix/store") (literal "/Users/ana/.nvm/my \\"node\\"/bin/node") (literal "/") (literal "/dev/null") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/dtracehelper"))
    (deny file-write*)
    (allow file-write-data (literal "/dev/null") (literal "/dev/dtracehelper"))
    (deny network*)
    (deny process-fork)
    (deny process-exec*)
    (allow process-exec* (literal "/Users/ana/.nvm/my \\"node\\"/bin/node"))
    (deny signal (target others))
    (deny process-info* (target others))
    (deny mach-lookup)
    (deny appleevent-send)
    (deny iokit-open)"
  `);
});

it("a profile of macOS keeps the network for a debugger", () => {
  expect(writeSandboxProfile(NODE, { sharesNetwork: true })).not.toContain("network");
});

it("sandbox-exec gets the profile as one argument, and the command after it", () => {
  expect(sandboxExecCommand("/usr/bin/sandbox-exec", "(version 1)")).toEqual([
    "/usr/bin/sandbox-exec",
    "-p",
    "(version 1)",
  ]);
});
