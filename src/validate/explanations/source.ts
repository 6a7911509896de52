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
    why: "The document service refuses an upload with the old name, so validate, build and upload report an error unless packsmith renames it. execute and dev accept the old name. Run validate --fix to rename it.",
    bad: withParameters(
      parameter({ defaultValue: '"Write"' }).replace("makeParameter(", "").replace(/\)$/, ""),
    ),
    good: withParameters(parameter({ suggestedValue: '"Write"' })),
  },
  DEPRECATED_FACTORY: {
    why: "The old functions still work, but their arguments have no names and their types find fewer mistakes. Run validate --fix to rewrite the calls. Some calls need to be rewritten by hand.",
    bad: legacy,
    good: withParameters(parameter()),
  },
  BUILD_WARNING: {
    why: "The code can be built, but this line is probably a mistake, such as a comparison that is never true. Check the line.",
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
    why: "The bundle is larger than the limit that you set with --budget. The message names the largest parts. Remove some of them, or raise the limit.",
    bad: "packsmith build pack.ts --budget 4kb",
    good: "packsmith build pack.ts --budget 200kb --why lodash",
  },
  DYNAMIC_IMPORT: {
    why: "A Pack is one file that contains everything it imports. If the name of the module is computed at run time, the bundler cannot include it. Import the module by a fixed name.",
    bad: "const load = (name) => require(name);",
    good: 'import * as german from "./texts/german"; // then choose it from an object by name',
  },
  FILE_OUTSIDE_PROJECT: {
    why: "A bundle can contain only files of the project (its workspace, git repository or folder with package.json) and of installed packages, so no import can read your private files. For a symbolic link, its target counts. Move the file into the project.",
    bad: 'import names from "../../../Downloads/names.json";',
    good: 'import names from "./names.json"; // copied into the project',
  },
  NATIVE_ADDON: {
    why: "The Pack runtime can only run JavaScript. It cannot load native code. Look for a package that does the same in plain JavaScript.",
    bad: 'import { hash } from "bcrypt"; // loads bcrypt_lib.node',
    good: 'import { hash } from "bcryptjs"; // plain JavaScript',
  },
  CODE_FROM_TEXT: {
    why: "The document service refuses an upload whose bundle contains `eval(` or `new Function(`, even if the code runs on your machine. Replace it with ordinary code, or choose another package.",
    bad: 'const double = new Function("x", "return x * 2");',
    good: "const double = (x) => x * 2;",
  },
  WEBASSEMBLY_ABSENT: {
    why: "The Pack runtime does not support WebAssembly: compiling it throws an error. Look for a package in plain JavaScript. In a dependency this is only a warning, because the package may also work without WebAssembly.",
    bad: "const module = new WebAssembly.Module(bytes);",
    good: "const sum = (a, b) => a + b; // plain JavaScript",
  },
  PROCESS_ABSENT: {
    why: "A Pack has no environment variables, no command line arguments and no streams. For values that users set, use parameters. For credentials, use authentication.",
    bad: "const key = process.env.API_KEY;",
    good: 'const response = await context.fetcher.fetch({ method: "GET", url }); // the fetcher adds the account',
  },
  FILE_PATH_ABSENT: {
    why: "A Pack cannot read files. In a bundle, __dirname is always / and __filename is always /pack.js. Import the data instead, for example a JSON file.",
    bad: 'const path = __dirname + "/names.json";',
    good: 'import names from "./names.json"; // becomes part of the bundle',
  },
  TIMER_ABSENT: {
    why: "The Pack runtime has no timers, so the callback is never called. Remove the timer. To find where it is used, run with --timer-strategy error. With --timer-strategy fake, callbacks run without waiting.",
    bad: "setTimeout(() => retry(), 1000);",
    good: "await retry(); // or build with --timer-strategy fake",
  },
  GLOBAL_ABSENT: {
    why: "The Pack runtime has the built-in objects of JavaScript, Buffer, console, URL, URLSearchParams, TextEncoder and crypto.getRandomValues. Send requests with the fetcher, which adds the account.",
    bad: 'const response = await fetch("https://tasks.example/");',
    good: 'const response = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/" });',
  },
  TYPE_ERROR: {
    why: "The message is TypeScript's own. It most often means that a value has the wrong type, for example the result of a formula.",
    bad: formula({ execute: "() => 3" }),
    good: formula(),
  },
  TYPE_CHECK_FAILED: {
    why: "TypeScript could not run in your project, so types were not checked. All other rules were checked. Run npx tsc --noEmit in the project to see the reason.",
    bad: "// node_modules/typescript is damaged, or the check takes longer than a minute",
    good: "// tsc --noEmit finishes in that folder",
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
