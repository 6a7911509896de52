import { describe, expect, it } from "vitest";
import { createDebugLog, showAddress, useDebugRedactor } from "../../src/shared/debug-log.ts";
import { createRedactor } from "../../src/shared/redact.ts";

/** A writer that keeps its lines, in place of Node's `debuglog`. */
function keepLines(enabled: boolean) {
  const lines: string[] = [];
  const names: string[] = [];
  return {
    lines,
    names,
    open(name: string) {
      names.push(name);
      return Object.assign((line: string) => void lines.push(line), { enabled });
    },
  };
}

describe("createDebugLog", () => {
  it("writes a line under the name of its topic when that is switched on", () => {
    const { lines, names, open } = keepLines(true);
    createDebugLog("oauth", open)(() => "refresh: tasks has new tokens");
    expect(names).toEqual(["packsmith:oauth"]);
    expect(lines).toEqual(["refresh: tasks has new tokens"]);
  });

  it("does not even describe a step when its topic is switched off", () => {
    const { lines, open } = keepLines(false);
    createDebugLog(
      "oauth",
      open,
    )(() => {
      throw new Error("described");
    });
    expect(lines).toEqual([]);
  });

  // docs/rules.md: rule 25
  it("masks the secrets of the step and those of the process", () => {
    const { lines, open } = keepLines(true);
    const debug = createDebugLog("run", open);
    const ofStep = createRedactor();
    ofStep.add("secret-of-the-step");
    debug(() => "request: GET https://api.example/secret-of-the-step", ofStep);
    const ofProcess = createRedactor();
    ofProcess.add("secret-of-the-process");
    useDebugRedactor(ofProcess);
    debug(() => "git: tag secret-of-the-process");
    expect(lines).toHaveLength(2);
    expect(lines.join("\n")).not.toContain("secret");
    expect(lines[0]).toMatch(/^request: GET https:\/\/api\.example\/••••/);
  });

  it("keeps a step on one line, without control characters", () => {
    const { lines, open } = keepLines(true);
    createDebugLog("publish", open)(() => "git: commit -m first\n\nsecond\u001b[2J");
    expect(lines).toEqual(["git: commit -m first second [2J"]);
  });

  it("leaves Node's own switch off in a process that did not name the topic", () => {
    createDebugLog("build")(() => {
      throw new Error("described");
    });
  });
});

it("an address is shown without user info, query and fragment", () => {
  expect(showAddress("https://user:password@api.example:8443/a/b?token=1#c")).toBe(
    "https://api.example:8443/a/b",
  );
  expect(showAddress("not a URL")).toBe("(not a URL)");
});
