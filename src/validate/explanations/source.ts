import type { IssueCode } from "../codes.ts";
import { formula, parameter, withParameters } from "./examples.ts";
import type { Explanation } from "./explanation.ts";

const count = parameter({ type: "ParameterType.Number", name: '"count"', description: '"How often."' });
const legacy = formula({ parameters: '[makeStringParameter("title", "The title.")]' });

/** Of what is found in the source text, and of older forms. */
export const sourceExplanations = {
  DEPRECATED_KEY: {
    why: "The older name still works; documentation, completion and types know only the current one. validate --fix renames it.",
    bad: withParameters(parameter({ defaultValue: '"Write"' }).replace("makeParameter(", "").replace(/\)$/, "")),
    good: withParameters(parameter({ suggestedValue: '"Write"' })),
  },
  DEPRECATED_FACTORY: {
    why: "The older functions take their arguments by position and know less about types. validate --fix rewrites the calls that it can be sure of.",
    bad: legacy,
    good: withParameters(parameter()),
  },
  BUILD_WARNING: {
    why: "The line builds, but most likely does something else than it says, such as a comparison that is never true.",
    bad: formula({ parameters: `[${count}]`, execute: '([count]) => (count === NaN ? "" : "Hello!")' }),
    good: formula({ parameters: `[${count}]`, execute: '([count]) => (Number.isNaN(count) ? "" : "Hello!")' }),
  },
  BUNDLE_SIZE: {
    why: "Every run loads the bundle into an isolate with 128 MB, so a large one makes each formula slow. Most of it is usually one dependency, or data that could be fetched.",
    bad: 'import names from "./names-of-the-world.json"; // 8 MB',
    good: 'const { body } = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/names.json" });',
  },
  BUNDLE_BUDGET: {
    why: "The build was given a limit for the bundle, so that a dependency cannot make it large without anybody noticing. The message names the largest parts.",
    bad: "packsmith build pack.ts --budget 4kb",
    good: "packsmith build pack.ts --budget 200kb --why lodash",
  },
  DYNAMIC_IMPORT: {
    why: "A Pack is one file, so everything it may need has to be in it, and a name that is only known when it runs leads nowhere. Only relative paths with a fixed beginning are taken along.",
    bad: "const load = (name) => require(name);",
    good: 'import * as german from "./texts/german"; // and so on, in an object by name',
  },
  NATIVE_ADDON: {
    why: "The Pack runtime runs JavaScript alone, without Node and without files. Packages with an addon often have a variant in plain JavaScript.",
    bad: 'import { hash } from "bcrypt"; // loads bcrypt_lib.node',
    good: 'import { hash } from "bcryptjs"; // plain JavaScript',
  },
  CODE_FROM_TEXT: {
    why: "The Pack runtime makes no code from text: eval is undefined and Function throws. A dependency may only try it and go on, which is why it is a warning there.",
    bad: 'const double = new Function("x", "return x * 2");',
    good: "const double = (x) => x * 2;",
  },
  WEBASSEMBLY_ABSENT: {
    why: "Compiling WebAssembly throws in the Pack runtime. A dependency may have a way without it, which is why it is a warning there.",
    bad: "const module = new WebAssembly.Module(bytes);",
    good: "const sum = (a, b) => a + b; // plain JavaScript",
  },
  PROCESS_ABSENT: {
    why: "A Pack has no process: no environment variables, no arguments, no streams. For what a user has to set there are parameters and authentication.",
    bad: "const key = process.env.API_KEY;",
    good: 'const response = await context.fetcher.fetch({ method: "GET", url }); // the account of the user is added',
  },
  FILE_PATH_ABSENT: {
    why: "A bundle has no place in a file system: __dirname is always / and __filename /pack.js, and nothing can be read there.",
    bad: 'const path = __dirname + "/names.json";',
    good: 'import names from "./names.json"; // becomes part of the bundle',
  },
  TIMER_ABSENT: {
    why: "The Pack runtime waits for promises only. With --timer-strategy fake a timer fires at once, with error it says where it was used.",
    bad: "setTimeout(() => retry(), 1000);",
    good: "await retry(); // or build with --timer-strategy fake",
  },
  GLOBAL_ABSENT: {
    why: "The Pack runtime has the built-in objects of the language, Buffer, console and crypto.getRandomValues. Requests go through the fetcher, which adds the account and keeps to the network domains.",
    bad: 'const response = await fetch("https://tasks.example/");',
    good: 'const response = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/" });',
  },
  TYPE_ERROR: {
    why: "The compiler sees a value that does not fit where it is used, such as a result that is not of the declared type. The message is TypeScript's own.",
    bad: formula({ execute: "() => 3" }),
    good: formula(),
  },
  TYPE_CHECK_FAILED: {
    why: "The TypeScript that is installed beside the Pack did not do its work, so its types are unchecked; all other rules were. Run tsc --noEmit there to see why.",
    bad: "// node_modules/typescript is damaged, or the check takes longer than a minute",
    good: "// tsc --noEmit ends by itself",
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
