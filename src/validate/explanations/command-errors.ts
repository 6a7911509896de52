import type { PackErrorCode } from "../../errors.ts";
import { formula } from "./examples.ts";
import type { ErrorExplanation } from "./explanation.ts";

/** Of the command line, of building a Pack and of running it. */
export const commandErrorExplanations = {
  USAGE_INVALID: {
    meaning: "The command line was not understood.",
    why: "A flag or an argument is missing, unknown or contradicts another. Nothing was done; --help lists what there is.",
    bad: "packsmith build pack.ts --out build",
    good: "packsmith build pack.ts --out-dir build",
  },
  CODE_UNKNOWN: {
    meaning: "packsmith explain was asked for a code that does not exist.",
    why: "Codes never change, so this one is misspelled or comes from another program.",
    bad: "packsmith explain FORMULA_NAME",
    good: "packsmith explain FORMULA_NAME_INVALID",
  },
  INTERRUPTED: {
    meaning: "The command was interrupted.",
    why: "You, or the system, ended it with SIGINT or SIGTERM. No file is half-written; run the command again.",
    bad: "packsmith build pack.ts   # and Ctrl-C",
    good: "packsmith build pack.ts",
  },
  INTERNAL: {
    meaning: "Something happened that packsmith did not foresee.",
    why: "This is a bug of packsmith, not of your Pack. With --debug the command prints where; report that.",
    bad: "packsmith build pack.ts",
    good: "packsmith build pack.ts --debug",
  },
  DEMO_STEP_FAILED: {
    meaning: "A step of the demo did not give what it should.",
    why: "The demo needs nothing but this machine, so most often a port or a file is not available. The message names the step.",
    bad: "packsmith demo",
    good: "packsmith demo --debug",
  },
  TARGET_NOT_EMPTY: {
    meaning: "The folder for the new project has files in it.",
    why: "init never overwrites what is yours.",
    bad: "packsmith init .",
    good: "packsmith init my-pack",
  },
  TEMPLATE_UNKNOWN: {
    meaning: "There is no template of this name.",
    why: "The templates are blank, oauth2 and client-credentials.",
    bad: "packsmith init my-pack --template oauth",
    good: "packsmith init my-pack --template oauth2",
  },
  OUTPUT_NOT_WRITABLE: {
    meaning: "A file cannot be written.",
    why: "The folder is missing or not yours, or the disk is full. What was there before is unchanged.",
    bad: "packsmith build pack.ts --out-dir /",
    good: "packsmith build pack.ts --out-dir build",
  },
  PORT_IN_USE: {
    meaning: "Another program listens on this port.",
    why: "A port has one owner. Without --port a free one is taken.",
    bad: "packsmith provider --port 4001   # twice",
    good: "packsmith provider",
  },
  PACK_FILE_UNREADABLE: {
    meaning: "The Pack's entry file cannot be read.",
    why: "The path is wrong, is a folder, or is not yours to read.",
    bad: "packsmith validate .",
    good: "packsmith validate pack.ts",
  },
  PACK_BUILD_FAILED: {
    meaning: "The Pack cannot be bundled.",
    why: "It has a syntax error, or imports what is not there: a file, a package that is not installed, or a module of Node, which the Pack runtime does not have.",
    bad: 'import { readFile } from "node:fs/promises";',
    good: 'import { joinUrl } from "packsmith";',
  },
  PACK_NAME_CONFLICT: {
    meaning: "Two Packs would be written to the same folder.",
    why: "A Pack's folder has the name of its file, or of its package when the file is named pack.ts. One would overwrite the other.",
    bad: "packsmith build a/pack.ts b/pack.ts   # both packages are named tasks",
    good: "packsmith build a/tasks.ts b/reports.ts",
  },
  PACK_LOAD_FAILED: {
    meaning: "The Pack threw an error while it was loaded.",
    why: "Its top level runs once, to collect the definition, in the same sandbox in which formulas run: no Node, no network.",
    bad: "const token = process.env.TOKEN;",
    good: "// credentials belong to an account: pack.setUserAuthentication",
  },
  PACK_EXPORT_MISSING: {
    meaning: "The entry file exports neither pack nor manifest.",
    why: "The definition is found under these names only.",
    bad: "const pack = newPack();",
    good: "export const pack = newPack();",
  },
  PACK_INVALID: {
    meaning: "The Pack's definition has errors.",
    why: "It is not built and not run until they are mended; packsmith validate lists all of them with their places.",
    bad: formula({ name: '"Say Hello"' }),
    good: formula({ name: '"SayHello"' }),
  },
  FORMULA_UNKNOWN: {
    meaning: "The Pack has no formula of this name.",
    why: "Names are compared as they are written. The message lists those that there are.",
    bad: "packsmith execute pack.ts Helo World",
    good: "packsmith execute pack.ts Hello World",
  },
  ARGUMENT_COUNT: {
    meaning: "The formula takes another number of arguments.",
    why: "Required parameters need a value each; optional ones may be left out from the end.",
    bad: "packsmith execute pack.ts Hello",
    good: "packsmith execute pack.ts Hello World",
  },
  ARGUMENT_TYPE: {
    meaning: "An argument is not of the parameter's type.",
    why: "The document service would not pass such a value either. Dates are written as 2026-01-31, lists as JSON.",
    bad: "packsmith execute pack.ts Add one",
    good: "packsmith execute pack.ts Add 1",
  },
  FORMULA_FAILED: {
    meaning: "The formula threw an error.",
    why: "Users see an error that says nothing. Throw a UserVisibleError for what they can mend; the message here has the place in your source.",
    bad: formula({ execute: '() => {\n  throw new Error("No such task.");\n}' }),
    good: formula({ execute: '() => {\n  throw new UserVisibleError("No such task.");\n}' }),
  },
  FORMULA_USER_ERROR: {
    meaning: "The formula threw an error that is meant for its user.",
    why: "Its message is shown as it is. The formula works as its author wants; the arguments have to be others.",
    bad: 'packsmith execute pack.ts Task "no such task"',
    good: 'packsmith execute pack.ts Task "Write"',
  },
  RESULT_INVALID: {
    meaning: "The formula's result does not fit its schema.",
    why: "The document service would show it wrongly or not at all. The message names the member.",
    bad: formula({ execute: "() => 3" }),
    good: formula({ execute: '() => "3"' }),
  },
  RUN_TIMEOUT: {
    meaning: "The formula did not end in time.",
    why: "A formula has a minute, as in the document service. An endless loop, or too many requests one after the other, takes longer.",
    bad: formula({ execute: "() => {\n  for (;;) {}\n}" }),
    good: formula(),
  },
  RUN_OUT_OF_MEMORY: {
    meaning: "The Pack took more memory than it may have.",
    why: "Large responses and endless lists are the usual reason. Ask the API for fewer rows, and give them in several pages.",
    bad: formula({ execute: "() => {\n  const all = [];\n  for (;;) all.push(new Array(1e6).fill(0));\n}" }),
    good: formula(),
  },
  RUN_CRASHED: {
    meaning: "The sandbox ended before the formula did.",
    why: "The code made its thread end, most often by exhausting it: deep recursion in a native function, or memory that could not be counted.",
    bad: "packsmith execute pack.ts Recurse",
    good: "packsmith execute pack.ts Hello World",
  },
  FETCH_HOST_REFUSED: {
    meaning: "A formula called a host that the Pack does not declare.",
    why: "Users decide by the declared domains whether they trust a Pack, so nothing else can be reached, redirects included.",
    bad: 'pack.addNetworkDomain("tasks.example");   // and a request to files.example',
    good: 'pack.addNetworkDomain("tasks.example", "files.example");',
  },
  FETCH_URL_INVALID: {
    meaning: "A formula called a URL that cannot be used.",
    why: "A URL is absolute and https, or relative to the account's endpoint.",
    bad: 'await context.fetcher.fetch({ method: "GET", url: "tasks.example/api" });',
    good: 'await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/api" });',
  },
  FETCH_FAILED: {
    meaning: "A host could not be reached.",
    why: "There is no such name, no connection, or the connection broke. On a plane, --route leads the Pack's URLs to a server on this machine.",
    bad: "packsmith execute pack.ts Tasks",
    good: "packsmith execute pack.ts Tasks --route https://tasks.example=http://127.0.0.1:4001",
  },
  FETCH_TIMEOUT: {
    meaning: "A host did not answer in time.",
    why: "One slow request would take the formula's whole time. Ask for less at once.",
    bad: 'url: "https://tasks.example/tasks?limit=10000"',
    good: 'url: "https://tasks.example/tasks?limit=100"',
  },
  FETCH_TOO_LARGE: {
    meaning: "A response is larger than a Pack may receive.",
    why: "The document service has the same limit. Ask for fewer fields or fewer rows.",
    bad: 'url: "https://tasks.example/tasks"',
    good: 'url: "https://tasks.example/tasks?fields=title&limit=100"',
  },
  FETCH_TOO_MANY_REDIRECTS: {
    meaning: "A host redirected too often.",
    why: "Most often it sends a request in circles that lacks a cookie or a slash at the end.",
    bad: 'url: "https://tasks.example/tasks"',
    good: 'url: "https://tasks.example/tasks/"',
  },
  FETCH_STATUS: {
    meaning: "A host answered with an error status, and the formula did not catch it.",
    why: "Every status of 400 and above is thrown as a StatusCodeError. Catch it and say what the user can do.",
    bad: "const response = await context.fetcher.fetch(request);",
    good: 'try {\n  return await context.fetcher.fetch(request);\n} catch (error) {\n  if (StatusCodeError.isStatusCodeError(error)) throw new UserVisibleError("No such task.");\n  throw error;\n}',
  },
  SEED_INVALID: {
    meaning: "The file with documents for the local service cannot be used.",
    why: "It is no JSON, or does not describe documents, tables and rows. The message names the first problems.",
    bad: "packsmith service --seed pack.ts",
    good: "packsmith service --seed seed.json",
  },
} satisfies Partial<Record<PackErrorCode, ErrorExplanation>>;
