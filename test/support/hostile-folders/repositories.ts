import { execFileSync } from "node:child_process";
import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Construct, makeExecutable, replace } from "./construct.ts";
import type { HostilePlace } from "./project.ts";

function addToConfig({ folder }: HostilePlace, text: string): void {
  execFileSync("sh", ["-c", 'cat >> "$1"', "sh", join(folder, ".git/config")], { input: text });
}

const HOOKS =
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change".split(
    " ",
  );

/** What git would read or start. */
export const REPOSITORIES: readonly Construct[] = [
  {
    name: "hooks in .git/hooks",
    put: (place) => {
      for (const hook of HOOKS)
        makeExecutable(place, `.git/hooks/${hook}`, `#!/bin/sh\n${place.shell(`hook-${hook}`)}\n`);
    },
  },
  {
    name: "hooks in a folder of the project",
    put: (place) => {
      addToConfig(place, "[core]\n\thooksPath = hooks\n");
      for (const hook of HOOKS)
        makeExecutable(place, `hooks/${hook}`, `#!/bin/sh\n${place.shell(`hook-${hook}`)}\n`);
    },
  },
  {
    name: "settings of git that are programs",
    put: (place) => {
      const command = (name: string) =>
        JSON.stringify(`${place.shell(name)}; exit 1`).replaceAll("\n", "\\n");
      addToConfig(
        place,
        `[core]
	fsmonitor = ${command("fsmonitor")}
	pager = ${command("pager")}
	editor = ${command("editor")}
	sshCommand = ${command("ssh")}
	askPass = ${command("askpass")}
	gitProxy = ${command("proxy")}
	alternateRefsCommand = ${command("alternates")}
[sequence]
	editor = ${command("sequence-editor")}
[credential]
	helper = ${JSON.stringify(`!${place.shell("credential")}`)}
[filter "evil"]
	clean = ${command("clean")}
	smudge = ${command("smudge")}
	required
[filter "long"]
	process = ${command("process")}
[diff]
	external = ${command("external-diff")}
	tool = evil
[diff "evil"]
	command = ${command("diff")}
	textconv = ${command("textconv")}
	cachetextconv
[difftool "evil"]
	cmd = ${command("difftool")}
[merge "evil"]
	driver = ${command("merge")}
[gpg]
	program = ${place.outside}/program
[gpg "ssh"]
	program = ${place.outside}/program
	defaultKeyCommand = ${command("key")}
[commit]
	gpgSign
[tag]
	gpgSign
[log]
	showSignature
[alias]
	status = ${JSON.stringify(`!${place.shell("alias-status")}`)}
	archive = ${JSON.stringify(`!${place.shell("alias-archive")}`)}
	log = ${JSON.stringify(`!${place.shell("alias-log")}`)}
	show = ${JSON.stringify(`!${place.shell("alias-show")}`)}
	rev-parse = ${JSON.stringify(`!${place.shell("alias-rev-parse")}`)}
[pager]
	log = ${command("pager-log")}
	diff = ${command("pager-diff")}
	show
[interactive]
	diffFilter = ${command("diff-filter")}
[trailer "x"]
	command = ${command("trailer")}
	cmd = ${command("trailer-cmd")}
[tar "tar"]
	command = ${command("tar")}
[hook "x"]
	command = ${command("hook")}
	event = pre-commit
[browser "x"]
	cmd = ${command("browser")}
[uploadpack]
	packObjectsHook = ${command("pack-objects")}
[remote "origin"]
	url = ext::${place.outside}/program ext
	uploadpack = ${command("uploadpack")}
	promisor
	partialclonefilter = blob:none
`,
      );
      place.write(".gitattributes", "* filter=evil diff=evil merge=evil\n*.json filter=long\n");
      place.write(".git/info/attributes", "* filter=evil diff=evil merge=evil export-subst\n");
    },
  },
  {
    name: "settings of git that another file holds",
    put: (place) => {
      const text = `[core]\n\tfsmonitor = ${place.outside}/program\n\thooksPath = hooks\n[diff]\n\texternal = ${place.outside}/program\n[filter "evil"]\n\tclean = ${place.outside}/program\n\tsmudge = ${place.outside}/program\n`;
      place.write("evil.config", text);
      place.write(".gitattributes", "* filter=evil\n");
      addToConfig(
        place,
        '[include]\n\tpath = ../evil.config\n[includeIf "gitdir:**"]\n\tpath = ../evil.config\n[includeIf "onbranch:**"]\n\tpath = ../evil.config\n[includeIf "hasconfig:remote.*.url:**"]\n\tpath = ../evil.config\n',
      );
      makeExecutable(place, "hooks/pre-commit", `#!/bin/sh\n${place.shell("hook")}\n`);
    },
  },
  ...(["/dev/zero", "/dev/stdin", "/dev/tty", "/proc/self/environ"] as const).map((path) => ({
    name: `an included configuration of git that is ${path}`,
    put: (place: HostilePlace) => addToConfig(place, `[include]\n\tpath = ${path}\n`),
  })),
  {
    name: "an included configuration of git that includes itself",
    put: (place) => {
      place.write("loop.config", "[include]\n\tpath = loop.config\n");
      addToConfig(place, "[include]\n\tpath = ../loop.config\n");
    },
  },
  {
    name: "files that settings of git name",
    put: (place) => {
      execFileSync("mkfifo", [join(place.folder, "pipe")]);
      addToConfig(
        place,
        `[core]\n\texcludesFile = /dev/zero\n\tattributesFile = ../pipe\n\tworktree = ${place.outside}\n[mailmap]\n\tfile = /dev/zero\n[blame]\n\tignoreRevsFile = /dev/zero\n[commit]\n\ttemplate = /dev/zero\n[diff]\n\torderFile = /dev/zero\n[trace2]\n\teventTarget = ${place.outside}/trace2\n\tnormalTarget = ${place.outside}/trace2n\n`,
      );
    },
  },
  {
    name: "a .git file that leads to a repository with settings",
    put: (place) => {
      renameSync(join(place.folder, ".git"), join(place.folder, "repository"));
      writeFileSync(join(place.folder, ".git"), "gitdir: repository\n");
      makeExecutable(
        place,
        "repository/hooks/pre-commit",
        `#!/bin/sh\n${place.shell("gitfile-hook")}\n`,
      );
      place.write(
        "repository/config",
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = ${place.outside}/program\n`,
      );
    },
  },
  {
    name: "a .git file that leads to itself, or to a device",
    put: (place) => {
      rmSync(join(place.folder, ".git"), { recursive: true });
      writeFileSync(join(place.folder, ".git"), "gitdir: .git\n");
    },
  },
  {
    name: "a .git that is a link to a device",
    put: (place) => replace(place, ".git", (path) => symlinkSync("/dev/zero", path)),
  },
  {
    name: "a bare repository in the folder",
    put: (place) => {
      rmSync(join(place.folder, ".git"), { recursive: true });
      execFileSync("git", ["init", "--quiet", "--bare", "."], { cwd: place.folder });
      place.write(
        "config",
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = ${place.outside}/program\n`,
      );
    },
  },
  {
    name: "a submodule with hooks and settings",
    put: (place) => {
      execFileSync("git", ["init", "--quiet", "sub"], { cwd: place.folder });
      place.write(
        "sub/.git/config",
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = ${place.outside}/program\n`,
      );
      makeExecutable(place, "sub/.git/hooks/pre-commit", `#!/bin/sh\n${place.shell("sub")}\n`);
      place.write(
        ".gitmodules",
        `[submodule "sub"]\n\tpath = sub\n\turl = ext::${place.outside}/program\n\tupdate = !${place.outside}/program\n`,
      );
      addToConfig(
        place,
        `[submodule]\n\trecurse\n[status]\n\tsubmoduleSummary\n[submodule "sub"]\n\turl = ext::${place.outside}/program\n\tactive\n\tupdate = !${place.outside}/program\n`,
      );
      const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: place.folder })
        .toString()
        .trim();
      execFileSync("git", ["update-index", "--add", "--cacheinfo", `160000,${commit},sub`], {
        cwd: place.folder,
      });
    },
  },
  {
    name: "a gitlink whose .git leads out",
    put: (place) => {
      execFileSync("git", ["init", "--quiet", join(place.outside, "other")]);
      writeFileSync(
        join(place.outside, "other/.git/config"),
        `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = ${place.outside}/program\n`,
      );
      place.write("packs/.git", `gitdir: ${place.outside}/other/.git\n`);
      place.write("packs/pack.ts", "");
    },
  },
  {
    name: "settings of a worktree",
    put: (place) => {
      addToConfig(place, "[extensions]\n\tworktreeConfig = true\n");
      place.write(
        ".git/config.worktree",
        `[core]\n\tfsmonitor = ${place.outside}/program\n\thooksPath = hooks\n`,
      );
      makeExecutable(place, "hooks/pre-commit", `#!/bin/sh\n${place.shell("worktree-hook")}\n`);
    },
  },
  {
    name: "an index that is a pipe",
    put: (place) => replace(place, ".git/index", (path) => execFileSync("mkfifo", [path])),
  },
  {
    name: "a HEAD that is a device",
    put: (place) => replace(place, ".git/HEAD", (path) => symlinkSync("/dev/zero", path)),
  },
  {
    name: "objects that are pipes",
    put: ({ folder }) =>
      execFileSync(
        "sh",
        ["-c", 'find objects -type f | while read f; do rm -f "$f"; mkfifo "$f"; done'],
        { cwd: join(folder, ".git") },
      ),
  },
  {
    name: "alternates of objects in a pipe",
    put: (place) =>
      replace(place, ".git/objects/info/alternates", (path) => execFileSync("mkfifo", [path])),
  },
  {
    name: "a config of git of 5 GB",
    put: ({ folder }) => truncateSync(join(folder, ".git/config"), 5_000_000_000),
  },
];
