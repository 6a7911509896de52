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
    why: "The document service rejects an upload with the old name of this key. packsmith execute and packsmith dev accept the old name. Run packsmith validate --fix to rename the key.",
    bad: withParameters(
      parameter({ defaultValue: '"Write"' }).replace("makeParameter(", "").replace(/\)$/, ""),
    ),
    good: withParameters(parameter({ suggestedValue: '"Write"' })),
  },
  DEPRECATED_FACTORY: {
    why: "The old functions still work, but the compiler finds fewer mistakes in their arguments. Run packsmith validate --fix to rewrite most calls. Rewrite the remaining calls yourself.",
    bad: legacy,
    good: withParameters(parameter()),
  },
  BUILD_WARNING: {
    why: "packsmith can build the code, but this line is probably a mistake. For example, the line contains a comparison that is never true. Check the line.",
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
    why: "Every run loads the bundle, so a large bundle slows down each formula. The usual cause is a single large package, or data that you could fetch instead. Run packsmith build to see the large packages. Add --why PACKAGE to see which files import a package.",
    bad: 'import names from "./names-of-the-world.json"; // 8 MB',
    good: 'const { body } = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/names.json" });',
  },
  BUNDLE_BUDGET: {
    why: "The bundle is larger than the limit that you set with --budget. The message lists the largest parts of the bundle. Remove some parts, or raise the limit.",
    bad: "packsmith build pack.ts --budget 4kb",
    good: "packsmith build pack.ts --budget 200kb --why lodash",
  },
  DYNAMIC_IMPORT: {
    why: "A bundle must contain every module that the Pack imports. If your code computes the name of a module, the bundler cannot include it. Import the module by a fixed name.",
    bad: "const load = (name) => require(name);",
    good: 'import * as german from "./texts/german"; // then choose it from an object by name',
  },
  FILE_OUTSIDE_PROJECT: {
    why: "A Pack must not read your private files. A bundle can contain only files of the project and of installed packages. The project is the workspace, the git repository or the folder with package.json. Move the file into the project. A symbolic link is not enough.",
    bad: 'import names from "../../../Downloads/names.json";',
    good: 'import names from "./names.json"; // copied into the project',
  },
  NATIVE_ADDON: {
    why: "The Pack runtime can run only JavaScript, and cannot load native code. Look for a package that does the same in plain JavaScript.",
    bad: 'import { hash } from "bcrypt"; // loads bcrypt_lib.node',
    good: 'import { hash } from "bcryptjs"; // plain JavaScript',
  },
  CODE_FROM_TEXT: {
    why: "The document service rejects a bundle that contains `eval(` or `new Function(`, even if the code runs on your machine. Replace the code, or choose another package.",
    bad: 'const double = new Function("x", "return x * 2");',
    good: "const double = (x) => x * 2;",
  },
  WEBASSEMBLY_ABSENT: {
    why: "The Pack runtime does not support WebAssembly. Look for a package in plain JavaScript. For installed packages, this is only a warning, because a package may also work without WebAssembly.",
    bad: "const module = new WebAssembly.Module(bytes);",
    good: "const sum = (a, b) => a + b; // plain JavaScript",
  },
  PROCESS_ABSENT: {
    why: "The Pack runtime has no environment variables, command line arguments or streams. Use parameters for values that users set. Use authentication for credentials.",
    bad: "const key = process.env.API_KEY;",
    good: 'const response = await context.fetcher.fetch({ method: "GET", url }); // the fetcher adds the account',
  },
  FILE_PATH_ABSENT: {
    why: "A Pack cannot read files. In a bundle, __dirname is always / and __filename is always /pack.js. Import the data, for example from a JSON file.",
    bad: 'const path = __dirname + "/names.json";',
    good: 'import names from "./names.json"; // becomes part of the bundle',
  },
  TIMER_ABSENT: {
    why: "The Pack runtime has no timers, so the callback never runs. Remove the timer. To find the timer in your code, build with --timer-strategy error. To run callbacks without waiting, build with --timer-strategy fake.",
    bad: "setTimeout(() => retry(), 1000);",
    good: "await retry(); // or build with --timer-strategy fake",
  },
  GLOBAL_ABSENT: {
    why: "The Pack runtime has the built-in objects of JavaScript, Buffer, console, URL, URLSearchParams, TextEncoder and crypto.getRandomValues. Send requests with the fetcher. The fetcher adds the account's credentials.",
    bad: 'const response = await fetch("https://tasks.example/");',
    good: 'const response = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/" });',
  },
  TYPE_ERROR: {
    why: "The TypeScript compiler reported this error. The most common cause is a value of the wrong type, for example in the result of a formula. Correct the value or its type.",
    bad: formula({ execute: "() => 3" }),
    good: formula(),
  },
  TYPE_CHECK_FAILED: {
    why: "TypeScript could not run in your project, so packsmith did not check types. packsmith checked all other rules. Run npx tsc --noEmit in the project to see the reason.",
    bad: "// node_modules/typescript is damaged, or the check takes longer than a minute",
    good: "// tsc --noEmit finishes in that folder",
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
