import { type Construct, makeExecutable } from "./construct.ts";

/** Programs of a folder that something else might start or load. */
const MODULE_FILES = [
  ...["ts", "mts", "js", "mjs", "cjs"].flatMap((ending) =>
    ["vitest.config", "vite.config", "vitest.workspace", "esbuild.config", "packsmith.config"].map(
      (name) => `${name}.${ending}`,
    ),
  ),
  ...["postcss.config.cjs", "postcss.config.js", "babel.config.js", "babel.config.cjs"],
  ...[".babelrc.js", "jest.config.js", "jest.config.ts", ".mocharc.cjs", ".mocharc.js"],
  ...[".pnp.cjs", ".pnp.loader.mjs", ".pnpmfile.cjs", ".eslintrc.js", "eslint.config.js"],
  ...["prettier.config.js", ".prettierrc.cjs", "tsup.config.ts", "rollup.config.js"],
  ...["webpack.config.js", "index.js", "index.cjs", "server.js", "sitecustomize.py"],
];

const PACKAGES =
  "esbuild packsmith vitest typescript zod undici express git commander open pg jose oxc-parser libsql openid-client @clack/prompts @esbuild/linux-x64 @codahq/packs-sdk @types/node tslib tsx ts-node register node-gyp-build kysely mocha chai sinon is-inside-container".split(
    " ",
  );

/** What another tool would start. */
export const PROGRAMS: readonly Construct[] = [
  {
    name: "configurations that are programs",
    put: (place) => {
      for (const file of MODULE_FILES) place.write(file, place.script(file));
    },
  },
  {
    name: "packages with the names of tools",
    put: (place) => {
      for (const name of PACKAGES) {
        const folder = `node_modules/${name}`;
        const trace = `package-${name.replaceAll("/", "-")}`;
        const scripts = { preinstall: place.shell(trace), postinstall: place.shell(trace) };
        const bin = Object.fromEntries(
          [name.split("/").at(-1) ?? "", "tsc", "vitest", "git", "esbuild"].map((each) => [
            each,
            "index.js",
          ]),
        );
        place.write(
          `${folder}/package.json`,
          JSON.stringify({ name, version: "99.0.0", main: "index.js", bin, scripts }),
        );
        makeExecutable(
          place,
          `${folder}/index.js`,
          `#!/usr/bin/env node\n${place.script(trace)}\nmodule.exports = {};`,
        );
        for (const file of ["lib/typescript.js", "lib/tsc.js", "lib/_tsc.js", "bin/esbuild"])
          makeExecutable(
            place,
            `${folder}/${file}`,
            `#!/usr/bin/env node\n${place.script(`${trace}-${file.replaceAll("/", "-")}`)}`,
          );
      }
    },
  },
  {
    name: "programs in node_modules/.bin and in the folder",
    put: (place) => {
      const programs =
        "git tsc node esbuild vitest sh bash tar bwrap unshare npm npx vi code xdg-open env cat secret-tool prlimit";
      for (const program of programs.split(" ")) {
        const text = `#!/bin/sh\n${place.shell(`bin-${program}`)}\n`;
        makeExecutable(place, `node_modules/.bin/${program}`, text);
        if (program !== "node_modules") makeExecutable(place, program, text);
        makeExecutable(place, `bin/${program}`, text);
      }
    },
  },
  {
    name: "scripts of package.json",
    put: (place) => {
      const names =
        "preinstall install postinstall prepare prepack prebuild build test pretest dev start validate upload";
      place.write(
        "package.json",
        JSON.stringify({
          name: "greet",
          version: "1.0.0",
          main: "./index.cjs",
          bin: "./index.cjs",
          packageManager: "yarn@3.0.0+sha224.0000",
          scripts: Object.fromEntries(
            names.split(" ").map((name) => [name, place.shell(`script-${name}`)]),
          ),
          husky: { hooks: { "pre-commit": place.shell("husky") } },
          "simple-git-hooks": { "pre-commit": place.shell("simple-git-hooks") },
          imports: { "#evil": "./index.cjs", "#*": "/*" },
          exports: { ".": "./index.cjs", "./*": "../../*" },
          browserslist: "extends ./index.cjs",
          workspaces: ["packages/*"],
        }),
      );
      place.write("index.cjs", place.script("main"));
    },
  },
  {
    name: "settings of tools",
    put: (place) => {
      const preload = "index.cjs";
      place.write(preload, place.script("preload"));
      const files: Record<string, string> = {
        ".env": `NODE_OPTIONS=--require=./${preload}\nESBUILD_BINARY_PATH=./${preload}\nPATH=.\nPACKSMITH_TRUST=1\nPACKSMITH_REGISTRY=https://evil.example\nPACKSMITH_HOME=.\nBASH_ENV=./x.sh\nLD_PRELOAD=./x.so\nHTTPS_PROXY=http://127.0.0.1:9\n`,
        ".env.local": `NODE_OPTIONS=--require=./${preload}\nPACKSMITH_TRUST=1\n`,
        ".npmrc": `node-options=--require=./${preload}\nscript-shell=./${preload}\ngit=./${preload}\nprefix=.\nregistry=https://evil.example\n`,
        ".yarnrc.yml": `yarnPath: ./${preload}\nplugins:\n  - ./${preload}\n`,
        ".yarnrc": `yarn-path "./${preload}"\n`,
        ".nvmrc": "99",
        ".node-version": "99",
        ".tool-versions": "nodejs 99\n",
        ".swcrc": `{ "jsc": { "experimental": { "plugins": [["./${preload}", {}]] } } }`,
        ".babelrc": `{ "plugins": ["./${preload}"], "presets": ["./${preload}"] }`,
        ".mocharc.json": `{ "require": "./${preload}", "spec": "/dev/zero" }`,
        ".mocharc.yml": `require: ./${preload}\n`,
        "turbo.json": '{ "extends": ["//"], "tasks": {}, "globalDependencies": ["**/**/**"] }',
        "nx.json": `{ "plugins": ["./${preload}"], "tasksRunnerOptions": { "default": { "runner": "./${preload}" } } }`,
        "lerna.json": '{ "packages": ["**/**/**"] }',
        "pnpm-workspace.yaml": 'packages:\n  - "**/**/**"\n',
        ".vscode/settings.json": `{ "typescript.tsdk": "./node_modules/x", "git.path": "./${preload}", "terminal.integrated.env.linux": { "NODE_OPTIONS": "--require=./${preload}" } }`,
        ".vscode/tasks.json": `{ "version": "2.0.0", "tasks": [{ "label": "x", "type": "shell", "command": "./${preload}", "runOptions": { "runOn": "folderOpen" } }] }`,
        ".editorconfig": "root = true\n[*]\nindent_size = 99999999\n",
        ".envrc": place.shell("direnv"),
        Makefile: `all:\n\t${place.shell("make")}\n`,
        "node.config.json": `{ "nodeOptions": { "require": ["./${preload}"], "import": ["./${preload}"] } }`,
        ".noderc": `--require ./${preload}`,
        "prlimit.conf": "",
      };
      for (const [path, text] of Object.entries(files)) place.write(path, text);
    },
  },
];
