import { expectTypeOf } from "vitest";
import {
  type Arguments,
  type AutocompleteResult,
  autocompleteSearchObjects,
  makeFormula,
  makeParameter,
  newPack,
  type OptionalParamDef,
  type Parameter,
  ParameterType,
  type ParameterValueMap,
  type RequiredParamDef,
} from "../../../src/index.ts";

const pack = newPack();
const text = { name: "text", description: "Text." } as const;

// The value of every type of parameter: a scalar, a list of it, a list with gaps.
expectTypeOf<ParameterValueMap["string"]>().toEqualTypeOf<string>();
expectTypeOf<ParameterValueMap["stringArray"]>().toEqualTypeOf<string[]>();
expectTypeOf<ParameterValueMap["sparseStringArray"]>().toEqualTypeOf<(string | undefined)[]>();
expectTypeOf<ParameterValueMap["number"]>().toEqualTypeOf<number>();
expectTypeOf<ParameterValueMap["numberArray"]>().toEqualTypeOf<number[]>();
expectTypeOf<ParameterValueMap["sparseNumberArray"]>().toEqualTypeOf<(number | undefined)[]>();
expectTypeOf<ParameterValueMap["boolean"]>().toEqualTypeOf<boolean>();
expectTypeOf<ParameterValueMap["booleanArray"]>().toEqualTypeOf<boolean[]>();
expectTypeOf<ParameterValueMap["sparseBooleanArray"]>().toEqualTypeOf<(boolean | undefined)[]>();
expectTypeOf<ParameterValueMap["date"]>().toEqualTypeOf<Date>();
expectTypeOf<ParameterValueMap["dateArray"]>().toEqualTypeOf<Date[]>();
expectTypeOf<ParameterValueMap["sparseDateArray"]>().toEqualTypeOf<(Date | undefined)[]>();
expectTypeOf<ParameterValueMap["html"]>().toEqualTypeOf<string>();
expectTypeOf<ParameterValueMap["htmlArray"]>().toEqualTypeOf<string[]>();
expectTypeOf<ParameterValueMap["sparseHtmlArray"]>().toEqualTypeOf<(string | undefined)[]>();
expectTypeOf<ParameterValueMap["image"]>().toEqualTypeOf<string>();
expectTypeOf<ParameterValueMap["imageArray"]>().toEqualTypeOf<string[]>();
expectTypeOf<ParameterValueMap["sparseImageArray"]>().toEqualTypeOf<(string | undefined)[]>();
expectTypeOf<ParameterValueMap["file"]>().toEqualTypeOf<string>();
expectTypeOf<ParameterValueMap["fileArray"]>().toEqualTypeOf<string[]>();
expectTypeOf<ParameterValueMap["sparseFileArray"]>().toEqualTypeOf<(string | undefined)[]>();
expectTypeOf<ParameterValueMap["markdown"]>().toEqualTypeOf<string>();
expectTypeOf<ParameterValueMap["markdownArray"]>().toEqualTypeOf<string[]>();
expectTypeOf<ParameterValueMap["sparseMarkdownArray"]>().toEqualTypeOf<(string | undefined)[]>();
expectTypeOf<ParameterValueMap["email"]>().toEqualTypeOf<string>();
expectTypeOf<ParameterValueMap["emailArray"]>().toEqualTypeOf<string[]>();
expectTypeOf<ParameterValueMap["sparseEmailArray"]>().toEqualTypeOf<(string | undefined)[]>();
expectTypeOf<keyof ParameterValueMap>().toEqualTypeOf<ParameterType>();

// What `makeParameter` gives keeps its type and whether it is optional.
const title = makeParameter({ ...text, type: ParameterType.String });
const due = makeParameter({ type: "date", name: "due", description: "When.", optional: true });
const tags = makeParameter({
  type: ParameterType.SparseStringArray,
  name: "tags",
  description: "Tags.",
});
expectTypeOf(title).toEqualTypeOf<RequiredParamDef<"string">>();
expectTypeOf(due).toEqualTypeOf<OptionalParamDef<"date">>();
expectTypeOf(title).toExtend<Parameter>();
expectTypeOf<Arguments<[typeof title, typeof due]>>().toEqualTypeOf<[string, Date | undefined]>();
expectTypeOf<Arguments<[]>>().toEqualTypeOf<[]>();
expectTypeOf<Arguments<[typeof title], [typeof tags, typeof title]>>().toEqualTypeOf<
  [string, ...((string | undefined)[] | string)[]]
>();

// One parameter serves several formulas.
for (const name of ["One", "Two"]) {
  pack.addFormula({
    name,
    description: "Uses a shared parameter.",
    parameters: [title, due],
    resultType: "string",
    execute: (args) => {
      expectTypeOf(args).toEqualTypeOf<[string, Date | undefined]>();
      return args[0];
    },
  });
}

// A parameter may be written in place, as a literal.
makeFormula({
  name: "Literal",
  description: "Parameters without makeParameter.",
  parameters: [
    { type: "string", name: "a", description: "A." },
    { type: "numberArray", name: "b", description: "B.", optional: true },
  ],
  resultType: "boolean",
  execute: (args) => {
    expectTypeOf(args).toEqualTypeOf<[string, number[] | undefined]>();
    return true;
  },
});

// Varargs: the rest can be taken apart group by group.
pack.addFormula({
  name: "Steps",
  description: "Groups repeat.",
  parameters: [makeParameter({ type: "string", name: "start", description: "Start." })],
  varargParameters: [
    makeParameter({ type: "string", name: "label", description: "Label." }),
    makeParameter({ type: "string", name: "step", description: "Step." }),
  ],
  resultType: "string",
  execute: ([start, ...varargs]) => {
    expectTypeOf(varargs).toEqualTypeOf<string[]>();
    const [label, step, ...others] = varargs;
    expectTypeOf(label).toEqualTypeOf<string | undefined>();
    expectTypeOf(others).toEqualTypeOf<string[]>();
    return start + label + step;
  },
});

pack.addFormula({
  name: "NoThird",
  description: "There is nothing beyond the declared parameters.",
  parameters: [title, due],
  resultType: "boolean",
  // @ts-expect-error reading past the declared parameters
  execute: ([first, second, third]) => first === third && second !== undefined,
});

pack.addFormula({
  name: "Unchecked",
  description: "An optional argument may be absent.",
  parameters: [due],
  resultType: "number",
  // @ts-expect-error it is possibly undefined
  execute: ([when]) => when.getTime(),
});

// Suggested values have the type of the parameter.
makeParameter({ ...text, type: "number", suggestedValue: 1, ingestionSuggestedValue: 2 });
makeParameter({ ...text, type: "stringArray", suggestedValue: ["a"] });
makeParameter({ ...text, type: "dateArray", suggestedValue: "last_7_days" });
makeParameter({ ...text, type: "dateArray", suggestedValue: [new Date(0)] });
makeParameter({ ...text, type: "date", suggestedValue: "7_days_ago" });
// @ts-expect-error text is no number
makeParameter({ ...text, type: "number", suggestedValue: "1" });
// @ts-expect-error a number is no list
makeParameter({ ...text, type: "numberArray", suggestedValue: 1 });
// @ts-expect-error no such span of days
makeParameter({ ...text, type: "dateArray", suggestedValue: "last_8_days" });

// Choices: a list or a function, for text and numbers only.
makeParameter({ ...text, type: "string", autocomplete: ["a", { display: "B", value: "b" }] });
makeParameter({ ...text, type: "number", autocomplete: [1, 2] });
makeParameter({
  ...text,
  type: "sparseStringArray",
  autocomplete: async (context, search, parameters) => {
    expectTypeOf(search).toEqualTypeOf<string>();
    expectTypeOf(context.endpoint).toEqualTypeOf<string | undefined>();
    expectTypeOf(parameters).toEqualTypeOf<Record<string, unknown>>();
    return [{ display: search, value: search, hasChildren: true }];
  },
});
makeParameter({
  ...text,
  type: "string",
  autocomplete: (_context, _search, { list }) => [String(list)],
});
// @ts-expect-error dates have no choices
makeParameter({ ...text, type: "date", autocomplete: ["a"] });
// @ts-expect-error a function returns choices
makeParameter({ ...text, type: "string", autocomplete: () => true });
// @ts-expect-error an entry has a display text
makeParameter({ ...text, type: "string", autocomplete: [{ value: "b" }] });

// Objects to search: of a body without a type, or with members that are checked.
makeParameter({
  ...text,
  type: "string",
  autocomplete: async (context, search) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "https://tasks.example" });
    return autocompleteSearchObjects(search, body.results, "name", "id");
  },
});
const tasks = [{ title: "Tea", id: 7, isDone: false }];
expectTypeOf(autocompleteSearchObjects("", tasks, "title", "id")).resolves.toEqualTypeOf<
  AutocompleteResult<number>[]
>();
// @ts-expect-error no such member
autocompleteSearchObjects("", tasks, "name", "id");
makeParameter({
  ...text,
  type: "string",
  // @ts-expect-error the value is text or a number
  autocomplete: async (_context, search) =>
    autocompleteSearchObjects(search, tasks, "title", "isDone"),
});

// Crawling and incremental sync.
makeParameter({
  ...text,
  type: "string",
  crawlStrategy: {
    parentTable: { tableName: "Lists", propertyKey: "id", inheritPermissions: true },
  },
});
makeParameter({ ...text, type: "string", optional: true, supportsIncrementalSync: false });
// @ts-expect-error the table's property is missing
makeParameter({ ...text, type: "string", crawlStrategy: { parentTable: { tableName: "Lists" } } });

// Misspellings.
// @ts-expect-error optinal
makeParameter({ ...text, type: "string", optinal: true });
// @ts-expect-error sugestedValue
makeParameter({ ...text, type: "string", sugestedValue: "x" });
// @ts-expect-error no such type
makeParameter({ ...text, type: "object" });
// @ts-expect-error the description is missing
makeParameter({ type: "string", name: "a" });
