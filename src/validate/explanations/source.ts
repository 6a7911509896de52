import type { IssueCode } from "../codes.ts";
import { type Explanation, formula, parameter, withParameters } from "./explanation.ts";

const count = parameter({
  type: "ParameterType.Number",
  name: '"count"',
  description: '"How often."',
});
const legacy = formula({ parameters: '[makeStringParameter("title", "The title.")]' });

/** Problems in the source text, and deprecated forms. */
export const sourceExplanations = {
  DEPRECATED_KEY: {
    why: "execute and dev accept the old name. The platform refuses an upload that has it, so it is an error of validate, build and upload, unless compiling renames it; build still writes the Pack. validate --fix renames it.",
    bad: withParameters(
      parameter({ defaultValue: '"Write"' }).replace("makeParameter(", "").replace(/\)$/, ""),
    ),
    good: withParameters(parameter({ suggestedValue: '"Write"' })),
  },
  DEPRECATED_FACTORY: {
    why: "The old functions take their arguments by position and have weaker types. validate --fix rewrites the calls that it is sure about.",
    bad: legacy,
    good: withParameters(parameter()),
  },
  BUILD_WARNING: {
    why: "The line builds, but most likely does not do what it says, for example a comparison that is never true.",
    bad: formula({
      parameters: `[${count}]`,
      execute: '([count]) => (count === NaN ? "" : "Hello!")',
    }),
    good: formula({
      parameters: `[${count}]`,
      execute: '([count]) => (Number.isNaN(count) ? "" : "Hello!")',
    }),
  },
  BUNDLE_SIZE: {
    why: "Every run loads the bundle into 128 MB of memory, so a large one slows down each formula. The cause is usually one dependency, or data that you could fetch. packsmith build shows which packages are large, and --why shows what imports them.",
    bad: 'import names from "./names-of-the-world.json"; // 8 MB',
    good: 'const { body } = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/names.json" });',
  },
  BUNDLE_BUDGET: {
    why: "You set a limit with --budget, so that a dependency cannot silently make the bundle large. The message names the largest parts.",
    bad: "packsmith build pack.ts --budget 4kb",
    good: "packsmith build pack.ts --budget 200kb --why lodash",
  },
  DYNAMIC_IMPORT: {
    why: "A Pack is one file and must contain everything that it imports. A name that is only known at run time cannot be found. Only relative paths with a fixed beginning are included.",
    bad: "const load = (name) => require(name);",
    good: 'import * as german from "./texts/german"; // then choose it from an object by name',
  },
  FILE_OUTSIDE_PROJECT: {
    why: "A bundle contains only files of the project (the nearest workspace, git repository or folder with a package.json, else the working directory) and of packages that are imported by name. So no import can put your keys into it. Links count as what they lead to.",
    bad: 'import names from "../../../Downloads/names.json";',
    good: 'import names from "./names.json"; // copied into the project',
  },
  NATIVE_ADDON: {
    why: "The Pack runtime runs only JavaScript, without Node and without files. Look for a version of the package in plain JavaScript.",
    bad: 'import { hash } from "bcrypt"; // loads bcrypt_lib.node',
    good: 'import { hash } from "bcryptjs"; // plain JavaScript',
  },
  CODE_FROM_TEXT: {
    why: "Code made from text runs in the Pack runtime, but the service refuses an upload whose bundle contains `eval(` or `new Function(`. eval sees global names only, and import() in such code is refused.",
    bad: 'const double = new Function("x", "return x * 2");',
    good: "const double = (x) => x * 2;",
  },
  WEBASSEMBLY_ABSENT: {
    why: "Compiling WebAssembly throws in the Pack runtime. In a dependency this is a warning, because the dependency may have another way.",
    bad: "const module = new WebAssembly.Module(bytes);",
    good: "const sum = (a, b) => a + b; // plain JavaScript",
  },
  PROCESS_ABSENT: {
    why: "A Pack has no process: no environment variables, no arguments, no streams. Use parameters and authentication for what users must set.",
    bad: "const key = process.env.API_KEY;",
    good: 'const response = await context.fetcher.fetch({ method: "GET", url }); // the fetcher adds the account',
  },
  FILE_PATH_ABSENT: {
    why: "A bundle has no place in a file system: __dirname is always / and __filename is /pack.js. No file can be read. Import the data instead.",
    bad: 'const path = __dirname + "/names.json";',
    good: 'import names from "./names.json"; // becomes part of the bundle',
  },
  TIMER_ABSENT: {
    why: "The Pack runtime only waits for promises. With --timer-strategy fake a timer runs at once; with error it reports where it was used.",
    bad: "setTimeout(() => retry(), 1000);",
    good: "await retry(); // or build with --timer-strategy fake",
  },
  GLOBAL_ABSENT: {
    why: "The Pack runtime has the built-in objects of JavaScript, Buffer, console, URL, URLSearchParams, TextEncoder and crypto.getRandomValues. Send requests with the fetcher, which adds the account.",
    bad: 'const response = await fetch("https://tasks.example/");',
    good: 'const response = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/" });',
  },
  TYPE_ERROR: {
    why: "The compiler found a value that does not fit where it is used, such as a result of the wrong type. The message is TypeScript's own.",
    bad: formula({ execute: "() => 3" }),
    good: formula(),
  },
  TYPE_CHECK_FAILED: {
    why: "The TypeScript of your project failed, so the types are not checked. All other rules were checked. Run tsc --noEmit in the project to see why.",
    bad: "// node_modules/typescript is damaged, or the check takes longer than a minute",
    good: "// tsc --noEmit finishes in that folder",
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
