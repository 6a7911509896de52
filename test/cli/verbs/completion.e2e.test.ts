import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { chooseCases, isLong } from "../../support/breadth.ts";
import { runCli } from "../../support/cli.ts";
import { findProgram } from "../../support/find-program.ts";
import { makeProject, type ProjectFolder } from "../../support/project.ts";

const main = fileURLToPath(new URL("../../../dist/bin/packsmith.cjs", import.meta.url));
const shells = ["bash", "zsh", "fish"] as const;
const missing = shells.filter((shell) => findProgram(shell) === undefined);

/** A project in which `packsmith` is a command, as an installation makes it. */
function makeShellProject(): ProjectFolder {
  const project = makeProject({
    "package.json": "{}",
    "pack.ts":
      'pack.addFormula({ name: "Hello" }); pack.addSyncTable({\n  name: "Tasks" }); pack.addFormula({ name: "$(touch hit)" });',
    "notes.txt": "",
    "build/manifest.json": "{}",
    "bin/packsmith": `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`,
  });
  chmodSync(join(project.path, "bin/packsmith"), 0o755);
  return project;
}

/**
 * Lines up to the cursor, and what a shell offers for the last word. `[…]` must be all, `has` among
 * others.
 */
const offers = chooseCases<{ line: string; all?: string[]; has?: string[]; not?: string[] }>(
  [
    { line: "packsmith bu", all: ["build"] },
    {
      line: "packsmith ",
      has: ["init", "auth", "execute", "completion", "help"],
      not: ["notes.txt"],
    },
    { line: "packsmith auth re", has: ["refresh", "revoke"], not: ["list"] },
    { line: "packsmith validate --f", has: ["--fix", "--format"], not: ["--json"] },
    { line: "packsmith validate --format s", all: ["sarif"] },
    { line: "packsmith build pack.ts --timer-strategy ", all: ["error", "fake", "none"] },
    { line: "packsmith init app --template bl", all: ["blank"] },
    { line: "packsmith init app -t oa", all: ["oauth2"] },
    { line: "packsmith provider --profile basic-o", has: ["basic-only"] },
    { line: "packsmith service --profile f", all: ["faithful", "fast"] },
    { line: "packsmith service --port 80 imp", all: ["import"] },
    { line: "packsmith explain KEY_U", all: ["KEY_UNKNOWN"] },
    { line: "packsmith help dem", all: ["demo"] },
    { line: "packsmith completion f", all: ["fish"] },
    { line: "packsmith execute pack.ts ", has: ["Hello", "Tasks"] },
    { line: "packsmith run pack.ts --account work T", all: ["Tasks"] },
    { line: "packsmith validate pack.ts not", all: ["notes.txt"] },
    { line: "packsmith build --compare no", all: ["notes.txt"] },
    { line: "packsmith build pack.ts --out-dir bu", has: ["build"], not: ["notes.txt"] },
  ],
  3,
);

function check(found: string[], { all, has = [], not = [] }: (typeof offers)[number]) {
  const words = found.map((word) => word.replace(/\/$/, "")).filter((word) => word !== "");
  if (all !== undefined) expect([...new Set(words)].sort()).toEqual(all);
  expect(words).toEqual(expect.arrayContaining(has));
  for (const word of not) expect(words).not.toContain(word);
}

/**
 * Runs a shell in the project; answers of all lines come back at once, each line's between marks.
 */
function runShell(program: string, args: string[], input?: string): string[][] {
  const { stdout, stderr } = spawnSync(program, args, {
    cwd: project.path,
    env: {
      PATH: `${join(project.path, "bin")}:${process.env["PATH"]}`,
      HOME: project.path,
      TERM: "dumb",
      PACKSMITH_HOME: project.path,
    },
    encoding: "utf8",
    timeout: 120_000,
    ...(input === undefined ? {} : { input }),
  });
  const parts = stdout.split("@@\n").slice(1);
  if (parts.length !== offers.length)
    throw new Error(
      `${program} answered ${parts.length} of ${offers.length} lines: ${stdout}${stderr}`,
    );
  return parts.map((part) => part.trimEnd().split("\n"));
}

let project: ProjectFolder;
beforeAll(() => {
  project = makeShellProject();
  return () => project[Symbol.dispose]();
});

describe.skipIf(missing.includes("bash"))("bash completion", () => {
  let answers: string[][];
  beforeAll(() => {
    const lines = offers.map(
      ({ line }) =>
        `offer ${line
          .split(" ")
          .map((word) => `'${word}'`)
          .join(" ")}`,
    );
    const script = `eval "$(packsmith completion bash)"
      offer() { printf '@@\\n'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _packsmith 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"; }
      ${lines.join("\n")}`;
    answers = runShell("bash", ["--norc", "-ic", script]);
  });

  it.each(offers)("$line", (offer) => check(answers[offers.indexOf(offer)] ?? [], offer));

  it("is registered, reads --option=value, and runs nothing that a Pack names", () => {
    const run = (script: string) =>
      spawnSync("bash", ["--norc", "-ic", `eval "$(packsmith completion bash)"\n${script}`], {
        cwd: project.path,
        env: { PATH: `${join(project.path, "bin")}:${process.env["PATH"]}`, HOME: project.path },
        encoding: "utf8",
      }).stdout;
    expect(run("complete -p packsmith")).toBe("complete -F _packsmith packsmith\n");
    const words = `COMP_WORDS=(packsmith validate --format = js); COMP_CWORD=4; _packsmith; echo \${COMPREPLY[@]}`;
    expect(run(words)).toBe("json\n");
    expect(run(words.replace("= js", "=").replace("CWORD=4", "CWORD=3"))).toMatch(
      /^text json sarif/,
    );
    expect(() => project.read("hit")).toThrow();
  });
});

describe.skipIf(missing.includes("fish"))("fish completion", () => {
  let answers: string[][];
  beforeAll(() => {
    const lines = offers.map(
      ({ line }) => `printf '@@\\n'; complete -C '${line}' | string replace -r '\\t.*' ''`,
    );
    answers = runShell("fish", [
      "--no-config",
      "-c",
      `packsmith completion fish | source\n${lines.join("\n")}`,
    ]);
  });

  it.each(offers)("$line", (offer) => check(answers[offers.indexOf(offer)] ?? [], offer));
});

describe.skipIf(missing.includes("zsh"))("zsh completion", () => {
  it.runIf(isLong)("completes in an interactive shell what one word is left for", () => {
    const typed = [
      "bu",
      "auth conn",
      "validate --fo\tsa",
      "build --timer-strategy=fa",
      "execute pack.ts He",
      "validate not",
      "explain KEY_U",
      "auth refresh pack.ts --acc",
    ];
    // A pseudo-terminal in which tabs are pressed; the command then tells what it was called with.
    const script = `zmodload zsh/zpty
      zpty shell zsh -f -i
      read-until() { local text="" part=""; while zpty -r shell part; do text+="$part"; [[ $text == *"$1"* ]] && break; done; print -r -- "$text" }
      zpty -w shell 'PS1=; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D; eval "$(packsmith completion zsh)"; packsmith() { [[ $1 == completion ]] && { command packsmith "$@"; return }; print -r -- "<ran:$*>" }; print re""ady'
      read-until ready >/dev/null
      for line in "$@"; do zpty -n -w shell "packsmith $line"$'\\t\\n'; read-until "<ran:"; done`;
    const run = spawnSync("zsh", ["-f", "-c", script, "zsh", ...typed], {
      cwd: project.path,
      env: {
        PATH: `${join(project.path, "bin")}:${process.env["PATH"]}`,
        HOME: project.path,
        TERM: "dumb",
      },
      encoding: "utf8",
      timeout: 120_000,
    });
    const ran = [...run.stdout.matchAll(/<ran:([^>]*)>/g)].map(([, words = ""]) => words.trim());
    expect(ran, run.stdout + run.stderr).toEqual([
      "build",
      "auth connect",
      "validate --format sarif",
      "build --timer-strategy=fake",
      "execute pack.ts Hello",
      "validate notes.txt",
      "explain KEY_UNKNOWN",
      "auth refresh pack.ts --account",
    ]);
  });
});

describe("packsmith completion", () => {
  it("refuses an unknown shell and a missing one, with exit code 2", async () => {
    expect(await runCli(["completion", "tcsh"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("bash, zsh, fish"),
    });
    expect(await runCli(["completion"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "Run packsmith completion SHELL, where SHELL is bash, zsh or fish.",
      ),
    });
  });

  it("gives the script as JSON", async () => {
    const { json } = await runCli(["completion", "bash", "--json"]);
    expect(json()).toMatchObject({
      ok: true,
      shell: "bash",
      script: expect.stringContaining("complete -F _packsmith packsmith"),
    });
  });

  it.runIf(isLong)(
    "knows the formulas of the last build beside those in the file, and no name that a shell would take for more",
    async () => {
      using own = makeProject({
        "package.json": '{"name":"completed"}',
        "pack.ts":
          'import { newPack } from "packsmith";\nimport { addAll } from "./formulas.ts";\nexport const pack = newPack();\naddAll(pack);\n// pack.addFormula({ name: "New" })\n',
        "formulas.ts": `import type { PackDefinitionBuilder } from "packsmith";
        export const addAll = (pack: PackDefinitionBuilder) => {
          pack.addFormula({ name: "Elsewhere", description: "Is.", parameters: [], resultType: "string", execute: async () => "" });
        };`,
      });
      const targets = async () =>
        (await runCli(["__complete", "--", "execute", "pack.ts", ""], { cwd: own.path })).stdout;
      expect(await targets()).toBe("words\nNew\n");
      expect(
        await runCli(["build", "pack.ts", "--out-dir", "out"], { cwd: own.path }),
      ).toMatchObject({ code: 0 });
      expect(await targets()).toBe("words\nElsewhere\nNew\n");
      const nowhere = await runCli(["__complete", "--", "execute", "nowhere.ts", ""], {
        cwd: own.path,
      });
      expect(nowhere).toMatchObject({ code: 0, stdout: "words\n" });
    },
  );
});
