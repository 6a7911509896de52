import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { countIssues, printIssues } from "../../src/cli/issues.ts";
import { createOutput, printable } from "../../src/cli/output.ts";
import { PackError } from "../../src/errors.ts";
import { createRedactor } from "../../src/shared/redact.ts";

describe("createOutput", () => {
  it("puts data on stdout and everything else on stderr", () => {
    const { output, stdout, stderr } = capture();
    output.data("row");
    output.progress("working");
    output.document({ ok: true });
    expect([stdout(), stderr()]).toEqual(['row\n{"ok":true}\n', "working\n"]);
  });

  it("hides a remembered secret in every kind of output, and keeps members that are merely named like one", () => {
    const { output, redactor, stdout, stderr } = capture();
    redactor.add("canary-secret");
    output.data("a canary-secret b");
    output.progress("a canary-secret b");
    output.document({ password: "shown", nested: ["canary-secret"] });
    output.error(
      new PackError("INTERNAL", "canary-secret", {
        details: undefined,
        hint: "canary-secret",
        cause: new Error("canary-secret"),
      }),
      true,
    );
    expect(stdout() + stderr()).not.toContain("canary-secret");
    expect(stdout()).toContain('"password":"shown"');
  });

  it("escapes in a document what a terminal obeys or no one sees, and changes nothing of what it says", () => {
    const { output, stdout } = capture();
    const value = { text: "\u001b[2J \u009b31m \u202e \u2028 \u2066 \u{e0041} ä 👩‍💻" };
    output.document(value);
    expect(JSON.parse(stdout())).toEqual(value);
    expect(stdout()).toContain("ä 👩");
    expect(stdout().trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });

  it("shows an error with its code and what to do, and a stack trace only for debugging", () => {
    const { output, stderr } = capture();
    const error = new PackError("PORT_IN_USE", "Port 1 is in use.", {
      details: { port: 1, host: "127.0.0.1" },
      hint: "Stop the other program.",
    });
    output.error(error, false);
    expect(stderr()).toBe("error PORT_IN_USE  Port 1 is in use.\n  → Stop the other program.\n");
    output.error(error, true);
    expect(stderr()).toMatch(/\n\s+at /);
  });

  it("writes no colour codes when nobody sees them", () => {
    expect(capture().output.style("bad", "text")).toBe("text");
  });

  it("writes no colours of foreign text where nobody sees colours", () => {
    const { output, stdout, stderr } = capture({ isTTY: true }, {}, {});
    output.data("pack\u001b[31m.ts");
    output.progress("pack\u001b[2J.ts");
    expect([stdout(), stderr()]).toEqual(["pack[31m.ts\n", "pack[2J.ts\n"]);
  });

  const [PLAIN, RED] = ["text", "\u001b[31mtext\u001b[39m"];
  it.each<{ env: Record<string, string>; isTTY: boolean; text: string }>([
    { env: {}, isTTY: true, text: RED },
    { env: { FORCE_COLOR: "1" }, isTTY: false, text: RED },
    { env: { FORCE_COLOR: "true" }, isTTY: false, text: RED },
    { env: { FORCE_COLOR: "0" }, isTTY: true, text: PLAIN },
    { env: { FORCE_COLOR: "" }, isTTY: false, text: PLAIN },
    { env: { NO_COLOR: "1" }, isTTY: true, text: PLAIN },
    { env: { NO_COLOR: "1", FORCE_COLOR: "1" }, isTTY: true, text: PLAIN },
    { env: { NO_COLOR: "", FORCE_COLOR: "1" }, isTTY: false, text: RED },
  ])("obeys NO_COLOR and FORCE_COLOR: $env with isTTY $isTTY", ({ env, isTTY, text }) => {
    const { output } = capture({ isTTY }, env);
    expect([output.style("bad", "text"), output.dataStyle("bad", "text")]).toEqual([text, text]);
  });

  it("colours data only where stdout is a terminal", () => {
    const { output } = capture({ isTTY: true }, {}, {});
    expect([output.style("bad", "text"), output.dataStyle("bad", "text")]).toEqual([RED, PLAIN]);
  });
});

describe("printable", () => {
  // docs/rules.md: rule 13
  it("removes characters that would move the cursor, change the title or turn the text around", () => {
    expect(printable("a\u001b]0;title\u0007b\u009b2Jc\u202ed\te\nf")).toBe("a]0;titleb2Jcd\te\nf");
  });
});

describe("issues", () => {
  const issues = [
    {
      code: "A",
      severity: "error" as const,
      message: "First.",
      path: "formulas[0]",
      file: "pack.ts",
      line: 3,
      column: 5,
      hint: "Fix it.",
    },
    { code: "B", severity: "warning" as const, message: "Second.", path: "version", hint: "" },
  ];

  it("are printed with their place", () => {
    const { output, stdout, stderr } = capture();
    printIssues(issues, output, "/project");
    expect(stderr()).toBe("");
    expect(stdout()).toBe(
      "pack.ts:3:5  error  A  First.  → Fix it.\nversion  warning  B  Second.\n",
    );
  });

  it("are printed on a terminal as wide as it is, in colours", () => {
    const { output, stdout } = capture({ isTTY: true, columns: 40 });
    expect([output.width, output.dataWidth]).toEqual([40, 40]);
    printIssues([{ ...issues[0], file: "none.ts" } as (typeof issues)[0]], output, "/project");
    expect(stdout()).toBe(
      "none.ts:3:5  \u001b[31merror\u001b[39m  \u001b[1mA\u001b[22m  First.\n  \u001b[2m→\u001b[22m Fix it.\n\n",
    );
    expect(capture().output.dataWidth).toBeUndefined();
  });

  it("are printed one line each and without colours in a file, while stderr is a terminal", () => {
    const { output, stdout } = capture({ isTTY: true, columns: 40 }, {}, {});
    printIssues(issues, output, "/project");
    expect(stdout()).toBe(
      "pack.ts:3:5  error  A  First.  → Fix it.\nversion  warning  B  Second.\n",
    );
  });

  it.each([
    [[], "no problems"],
    [issues, "1 error and 1 warning"],
    [[...issues, ...issues], "2 errors and 2 warnings"],
    [issues.slice(1), "1 warning"],
  ])("are counted", (list, text) => {
    expect(countIssues(list)).toBe(text);
  });
});

interface Terminal {
  isTTY?: boolean;
  columns?: number;
}

function capture(
  terminal: Terminal = {},
  env: Record<string, string> = {},
  outTerminal: Terminal = terminal,
) {
  const texts = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += String(chunk);
        done();
      },
    });
  const redactor = createRedactor();
  const streams = {
    stdout: Object.assign(sink("stdout"), outTerminal),
    stderr: Object.assign(sink("stderr"), terminal),
    stdin: process.stdin,
    env,
    cwd: "/project",
  };
  return {
    output: createOutput(streams, false, redactor),
    redactor,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
  };
}
