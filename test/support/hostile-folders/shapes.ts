import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Construct } from "./construct.ts";

const NAMES = [
  "a\nb.ts",
  "--inspect",
  "-rf",
  "--trust",
  "$(x)",
  "`x`",
  "a;b",
  "%00",
  "\u202e.ts",
  "x".repeat(250),
  "pack.ts ",
  "*",
  "[a-",
  "{a,b}",
  "!x",
  "#x",
  "?",
  "con",
  "...",
];

/** What a folder may look like. */
export const SHAPES: readonly Construct[] = [
  {
    name: "names like options, with newlines, or for shells",
    put: (place) => {
      for (const name of NAMES) {
        place.write(
          `${name}/pack.ts`,
          'import { newPack } from "packsmith";\nexport const pack = newPack();\n',
        );
        place.write(
          `packs/${name}/pack.ts`,
          'import { newPack } from "packsmith";\nexport const pack = newPack();\n',
        );
        place.write(`${name}.ts`, "");
      }
      execFileSync("git", ["add", "-A", "-f"], { cwd: place.folder });
    },
  },
  {
    name: "names that are not UTF-8",
    put: ({ folder }) => {
      for (const bytes of [[0xff, 0xfe], [0xc3, 0x28], [0x80]]) {
        const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(bytes)]);
        mkdirSync(path);
        writeFileSync(Buffer.concat([path, Buffer.from("/pack.ts")]), "");
        writeFileSync(Buffer.concat([path, Buffer.from(".ts")]), "");
      }
      execFileSync("git", ["add", "-A", "-f"], { cwd: folder });
    },
  },
  {
    name: "20,000 files",
    put: (place) => {
      for (const folder of ["many", "node_modules/many", "build"]) {
        mkdirSync(join(place.folder, folder), { recursive: true });
        for (let index = 0; index < 7_000; index += 1)
          writeFileSync(join(place.folder, folder, `file-${index}.ts`), "");
      }
    },
  },
  {
    name: "folders 500 deep",
    put: (place) => {
      const deep = "d/".repeat(500);
      place.write(`${deep}pack.ts`, "");
      place.write(`node_modules/words/${deep}main.js`, "");
    },
  },
  {
    name: "links that multiply",
    put: (place) => {
      for (const name of ["a", "b", "c", "d"]) {
        symlinkSync(".", join(place.folder, name));
        symlinkSync("..", join(place.folder, "node_modules", name));
      }
      mkdirSync(join(place.folder, "packs/x"), { recursive: true });
      symlinkSync("../..", join(place.folder, "packs/x/loop"));
    },
  },
  {
    name: "hard links",
    put: (place) => {
      linkSync(join(place.outside, "secret"), join(place.folder, "hard.ts"));
      place.write("build/greet/x", "");
      rmSync(join(place.folder, "page.md"));
      linkSync(join(place.outside, "secret"), join(place.folder, "page.md"));
    },
  },
  {
    name: "folders that cannot be read",
    put: (place) => {
      for (const path of ["locked", "packs/locked", "node_modules/locked"]) {
        mkdirSync(join(place.folder, path), { recursive: true });
        chmodSync(join(place.folder, path), 0);
      }
    },
  },
];
