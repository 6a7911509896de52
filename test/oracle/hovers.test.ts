import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtFile } from "../../src/shared/own-package.ts";
import { openEditor } from "../support/editor.ts";
import { type TypedName, typedNames } from "../support/typed-names.ts";
import { hasPublishedPackage, publishedModules } from "./published-package.ts";

const published = join(publishedModules, "@codahq/packs-sdk/dist/index.d.ts");
const OURS = {
  packsmith: "index.d.ts",
  "the typings of `@codahq/packs-sdk`": "legacy-types.d.ts",
} as const;

/** Hidden there, and described in the docs here. */
const DESCRIBED_HERE = new RegExp(
  [
    String.raw`^newAgent$|\.(?:agent|defaultTriggers)$|^(?:Agent|Contextual|DefaultTrigger|ScheduleTrigger|WhileWritingTrigger)\w+$`,
    String.raw`mcpServers$|^ToolType\.MCP$|^Tool$|^PackTool\.formulas\.enabled$`,
    String.raw`useDynamicClientRegistration$|^UserVisibleError\.|\.updateOptions$`,
    String.raw`^(?:Generic)?ObjectSchema$|^GenericSyncUpdateResult$|\.namedPropertyOptions$|^SyncTableRelation\.inheritPermissions$`,
    // A hint of one schema is hidden; the union has the others, too.
    String.raw`\.propertySchema\.codaType$`,
  ].join("|"),
);

describe.skipIf(!hasPublishedPackage)("what the published typings explain", () => {
  const modules = hasPublishedPackage ? [published, ...Object.values(OURS).map(builtFile)] : [];
  const { program } = openEditor({}, modules);
  const theirs = hasPublishedPackage
    ? typedNames(program, published)
    : new Map<string, TypedName>();

  it.each(Object.entries(OURS))("is explained in %s", (_name, file) => {
    const ours = typedNames(program, builtFile(file));
    const explained = [...theirs].filter(
      ([path, { text, isQuiet }]) => text !== "" && !isQuiet && ours.has(path),
    );
    expect(explained.length).toBeGreaterThan(1_000);
    expect(
      explained
        .map(([path]) => path)
        .filter((path) => ours.get(path)?.text === "" && !ours.get(path)?.isQuiet),
    ).toEqual([]);
  });

  it.each(Object.entries(OURS))("is offered last in %s when it is hidden there", (_name, file) => {
    const ours = typedNames(program, builtFile(file));
    const hidden = [...theirs]
      .filter(([path, { isQuiet }]) => isQuiet && ours.has(path))
      .map(([path]) => path);
    expect(hidden.length).toBeGreaterThan(100);
    const outermost = hidden.filter((path) => !hidden.includes(path.replace(/[.(][^.(]*$/, "")));
    expect(
      outermost.filter((path) => ours.get(path)?.isQuiet === false && !DESCRIBED_HERE.test(path)),
    ).toEqual([]);
  });
});
