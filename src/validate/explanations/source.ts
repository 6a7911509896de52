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
