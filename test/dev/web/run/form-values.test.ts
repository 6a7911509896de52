import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  argumentValues,
  emptyFields,
  fieldKey,
  fittingValues,
  initialValues,
  toArguments,
  valuesByName,
} from "../../../../src/dev/web/run/form-values.ts";
import type { ParameterView } from "../../../../src/dev/wire/pack.ts";
import { prepareArguments } from "../../../../src/execute/arguments/arguments.ts";

const parameter = (
  name: string,
  type: string,
  more: Partial<ParameterView> = {},
): ParameterView => ({
  name,
  type,
  description: "",
  isOptional: false,
  hasAutocomplete: false,
  suggested: undefined,
  ...more,
});
const runnable = (parameters: ParameterView[], varargs: ParameterView[] = []) => ({
  parameters,
  varargs,
});
const declared = ({ parameters, varargs }: ReturnType<typeof runnable>) => ({
  parameters: parameters.map(({ name, type, isOptional }) => ({
    name,
    type,
    optional: isOptional,
  })),
  varargParameters: varargs.map(({ name, type, isOptional }) => ({
    name,
    type,
    optional: isOptional,
  })),
});

describe("the values of a form", () => {
  it("reach the Pack as what was entered, whatever text it is", () => {
    const form = runnable([
      parameter("text", "string"),
      parameter("list", "stringArray"),
      parameter("numbers", "sparseNumberArray"),
    ]);
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.string()),
        fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))),
        (text, list, numbers) => {
          const texts = numbers.map((number) => (number === null ? "" : String(number)));
          const args = toArguments(form, { named: { text, list, numbers: texts }, repeated: [] });
          const expected = numbers.map((number) =>
            number === null ? undefined : Number(String(number)),
          );
          expect(prepareArguments(declared(form), { text: args })).toEqual([text, list, expected]);
        },
      ),
    );
  });

  it("leave optional parameters out, also before repeated ones", () => {
    const optional = parameter("limit", "number", { isOptional: true });
    const form = runnable(
      [parameter("text", "string"), optional],
      [parameter("key", "string"), parameter("on", "boolean")],
    );
    const values = { named: { text: "a", limit: undefined }, repeated: [] };
    expect(toArguments(form, values)).toEqual(["a"]);
    const repeated = toArguments(form, { ...values, repeated: [{ key: "k", on: "true" }] });
    expect(repeated).toEqual(["a", "-", "k", "true"]);
    expect(prepareArguments(declared(form), { text: repeated })).toEqual([
      "a",
      undefined,
      "k",
      true,
    ]);
  });

  it("keep a span of days as its word, and days as days", () => {
    const form = runnable([parameter("days", "dateArray")]);
    expect(toArguments(form, { named: { days: ["last_30_days"] }, repeated: [] })).toEqual([
      "last_30_days",
    ]);
    expect(toArguments(form, { named: { days: ["today"] }, repeated: [] })).toEqual(['["today"]']);
    expect(
      toArguments(form, { named: { days: ["2026-01-31", "2026-02-01"] }, repeated: [] }),
    ).toEqual(['["2026-01-31","2026-02-01"]']);
  });

  it("begin with what is suggested, and fit the parameters that there are now", () => {
    const form = runnable([
      parameter("days", "dateArray", { suggested: "last_7_days" }),
      parameter("flag", "boolean"),
      parameter("maybe", "string", { isOptional: true }),
    ]);
    expect(initialValues(form).named).toEqual({
      days: ["last_7_days"],
      flag: "false",
      maybe: undefined,
    });
    const kept = {
      named: { days: "no longer a list", gone: "x", flag: "true", maybe: "kept" },
      repeated: [{ key: "old" }],
    };
    expect(fittingValues(kept, form)).toEqual({
      named: { days: ["last_7_days"], flag: "true", maybe: "kept" },
      repeated: [],
    });
  });

  it("are given to a function that finds choices as values of their types", () => {
    const parameters = [
      parameter("text", "string"),
      parameter("count", "number"),
      parameter("flags", "booleanArray"),
      parameter("none", "string"),
    ];
    expect(
      valuesByName(parameters, {
        text: "a",
        count: "2",
        flags: ["true", "false"],
        none: undefined,
      }),
    ).toEqual({
      text: "a",
      count: 2,
      flags: [true, false],
    });
  });

  it("lack a required text, number or date that is empty, not a list, a check box or an optional value", () => {
    const form = runnable(
      [
        ...["string", "number", "date", "markdown", "image"].map((type) => parameter(type, type)),
        ...["stringArray", "sparseDateArray", "boolean"].map((type) => parameter(type, type)),
        parameter("left out", "string", { isOptional: true }),
      ],
      [parameter("key", "string"), parameter("note", "string", { isOptional: true })],
    );
    const values = initialValues(form);
    expect([...emptyFields(form, values)]).toEqual([
      "string",
      "number",
      "date",
      "markdown",
      "image",
    ]);
    const named = {
      ...values.named,
      string: " ",
      number: "0",
      date: "today",
      markdown: "-",
      image: "https://a.example",
    };
    expect(emptyFields(form, { named, repeated: [] }).size).toBe(0);
    const repeated = [
      { key: "a", note: undefined },
      { key: "", note: undefined },
    ];
    expect([...emptyFields(form, { named, repeated })]).toEqual([fieldKey("key", 1)]);
  });

  it("are the same again after they were read from the arguments of an earlier run", () => {
    const form = runnable(
      [
        parameter("text", "string"),
        parameter("flag", "boolean"),
        parameter("list", "numberArray"),
        parameter("range", "dateArray", { isOptional: true }),
        parameter("note", "string", { isOptional: true }),
      ],
      [parameter("key", "string"), parameter("values", "stringArray")],
    );
    const named = { text: "a b", flag: "true", list: ["1", "2.5"], range: ["last_30_days"] };
    const values = {
      named: { ...named, note: undefined },
      repeated: [
        { key: "one", values: ["x"] },
        { key: "two", values: [] },
      ],
    };
    const args = toArguments(form, values).map((text) => ({ text, isSecret: false }));
    expect(argumentValues(form, args)).toEqual(values);
  });

  it("leave a secret of an earlier run empty", () => {
    const form = runnable([parameter("apiKey", "string"), parameter("limit", "number")]);
    const args = [
      { text: "••••", isSecret: true },
      { text: "3", isSecret: false },
    ];
    expect(argumentValues(form, args).named).toEqual({ apiKey: "", limit: "3" });
  });
});
