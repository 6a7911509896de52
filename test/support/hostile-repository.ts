import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { git } from "../publish/registry/git.ts";

export interface HostileRepository {
  /** The names of the programs that ran. */
  listRun(): string[];
}

/** Attributes that give each file all filters and drivers of `poisonRepository`. */
export const ATTRIBUTES =
  "* diff=evil\n*.txt filter=evil export-subst\n*.md filter=a=b\n*.json filter=long\n";

/**
 * Gives a repository settings that start a program wherever git can start one. Half of them are
 * in a file that another one includes.
 * @param folder has a repository
 * @param outside a folder for the program and its traces
 */
export function poisonRepository(folder: string, outside: string): HostileRepository {
  const program = makeProgram(outside);
  const run = (name: string) => `${program} ${name}`;
  const direct: [name: string, value: string][] = [
    ["core.fsmonitor", run("fsmonitor")],
    ["core.pager", run("pager")],
    ["core.editor", run("editor")],
    ["core.sshCommand", run("ssh")],
    ["core.askPass", program],
    ["core.gitProxy", run("proxy")],
    ["core.alternateRefsCommand", run("alternates")],
    ["credential.helper", `!${run("credential")}`],
    ["credential.http://127.0.0.1.helper", `!${run("credential-url")}`],
    ["filter.evil.clean", run("clean")],
    ["filter.evil.smudge", run("smudge")],
    ["filter.evil.required", "true"],
    ["filter.long.process", run("process")],
    ["gpg.program", program],
    ["gpg.ssh.defaultKeyCommand", run("key-command")],
    ["log.showSignature", "true"],
    ["alias.status", `!${run("alias")}`],
    ["alias.archive", `!${run("alias")}`],
    ["pager.log", run("pager-log")],
    ["protocol.allow", "always"],
    ["protocol.ext.allow", "always"],
  ];
  const included: [name: string, value: string][] = [
    ["diff.external", run("external-diff")],
    ["diff.evil.command", run("diff-command")],
    ["diff.evil.textconv", run("textconv")],
    ["filter.a=b.clean", run("clean-equals")],
    ["filter.a=b.smudge", run("smudge-equals")],
    ["merge.evil.driver", run("merge")],
    ["hook.evil.command", run("hook-command")],
    ["hook.evil.event", "pre-commit"],
    ["tar.tar.command", run("tar")],
    ["uploadpack.packObjectsHook", run("pack-objects")],
    ["gpg.openpgp.program", program],
    ["status.submoduleSummary", "true"],
    ["submodule.recurse", "true"],
    ["core.hooksPath", makeHooks(outside, program)],
  ];
  const more = join(outside, "more.config");
  writeFileSync(more, writeSettings(included));
  const include = ["includeIf.gitdir:**.path", more] as const;
  appendFileSync(join(folder, ".git", "config"), writeSettings([...direct, include]));
  return { listRun: () => listTraces(outside) };
}

/** The text of a file of settings, as `git config` writes it. */
function writeSettings(settings: readonly (readonly [name: string, value: string])[]): string {
  const sections = settings.map(([name, value]) => {
    const [, section, subsection, key] = /^([^.]+)(?:\.(.*))?\.([^.]+)$/s.exec(name) ?? [];
    const title = subsection === undefined ? section : `${section} "${subsection}"`;
    return `[${title}]\n\t${key} = "${value.replace(/["\\]/g, "\\$&")}"\n`;
  });
  return sections.join("");
}

/** A script that leaves a trace, and gives back what it gets. */
export function makeProgram(outside: string): string {
  mkdirSync(join(outside, "traces"), { recursive: true });
  const program = join(outside, "program");
  const text = `#!/bin/sh\ncase "$1" in -*) set gpg ;; esac\n: > "${join(outside, "traces")}/\${1:-askpass}"\ntest "$1" = fsmonitor || exec cat\n`;
  writeFileSync(program, text);
  chmodSync(program, 0o755);
  return program;
}

export function listTraces(outside: string): string[] {
  return existsSync(join(outside, "traces")) ? readdirSync(join(outside, "traces")).sort() : [];
}

function makeHooks(outside: string, program: string): string {
  const hooks = join(outside, "hooks");
  mkdirSync(hooks, { recursive: true });
  const names = ["pre-commit", "post-index-change", "reference-transaction", "pre-auto-gc"];
  for (const name of names) {
    writeFileSync(join(hooks, name), `#!/bin/sh\n${program} ${name}\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  return hooks;
}

/** A commit that has a signature, which git checks with the program of `gpg.program`. */
export function commitSigned(folder: string): void {
  const parent = git(folder, "rev-parse", "HEAD");
  const person = "Ada <ada@tasks.example> 1700000000 +0000";
  const signature = "-----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----";
  const text = `tree ${git(folder, "write-tree")}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\ngpgsig ${signature}\n\nSigned\n`;
  const commit = execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
    cwd: folder,
    input: text,
    encoding: "utf8",
  }).trim();
  git(folder, "update-ref", "HEAD", commit);
}
