import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Construct, replace } from "./construct.ts";
import type { HostilePlace } from "./project.ts";

/** What a file of the project may be instead. */
const REPLACED = [
  ...["pack.ts", "package.json", "tsconfig.json", ".coda-pack.json", "packsmith.config.json"],
  ...["seed.json", "openapi.json", "options.json", "state.json", "tables.ts", "page.md"],
  ...["CHANGELOG.md", ".gitignore", "build", "cassettes", "node_modules", "node_modules/words"],
  ...["node_modules/words/package.json", ".git/config", ".git/HEAD", ".vscode", "README.md"],
  ...[".env", ".coda.json", "package-lock.json", "pnpm-workspace.yaml", "pnpm-lock.yaml"],
  ...["turbo.json", "packs", "from-description", "jsconfig.json", ".git/refs", ".git/packed-refs"],
];

const KINDS: readonly [what: string, put: (path: string, place: HostilePlace) => void][] = [
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ["a link to /dev/zero", (path) => symlinkSync("/dev/zero", path)],
  [
    "a socket",
    (path) =>
      void execFileSync("python3", [
        "-c",
        "import socket,sys,os\nos.chdir(os.path.dirname(sys.argv[1]))\nsocket.socket(socket.AF_UNIX).bind(os.path.basename(sys.argv[1]))",
        path,
      ]),
  ],
  ["a link to itself", (path) => symlinkSync(path, path)],
  ["a link to a file outside", (path, { outside }) => symlinkSync(join(outside, "secret"), path)],
  ["a link to a folder outside", (path, { outside }) => symlinkSync(join(outside, "folder"), path)],
  ["a link to nothing outside", (path, { outside }) => symlinkSync(join(outside, "new"), path)],
  ["a link to the root", (path) => symlinkSync("/", path)],
  ["a link to /proc/self/fd/0", (path) => symlinkSync("/proc/self/fd/0", path)],
  ["a folder", (path) => mkdirSync(path)],
  [
    "a file of 5 GB",
    (path) => {
      writeFileSync(path, "");
      truncateSync(path, 5_000_000_000);
    },
  ],
  ["random bytes", (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 0x80, 0xc3, 0x28]))],
  ["an empty file", (path) => writeFileSync(path, "")],
];

/** What is in the place of a file or folder of the project. */
export const REPLACEMENTS: readonly Construct[] = REPLACED.flatMap((file) =>
  KINDS.map(([what, put]) => ({
    name: `${file} is ${what}`,
    put: (place: HostilePlace) => replace(place, file, (path) => put(path, place)),
  })),
);
