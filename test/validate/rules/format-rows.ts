import { type Definition, formula, pack, parameter } from "../definitions.ts";
import type { Row } from "./row.ts";

const format = (members: Definition = {}) => ({ name: "Track", formulaName: "Run", ...members });
const withFormat = (members: Definition, run: Definition = { parameters: [parameter()] }) =>
  pack({ formats: [format(members)], formulas: [formula(run)] });
const matchers = (count: number) =>
  withFormat({ matchers: Array.from({ length: count }, () => /a/) });
const formats = (...names: string[]) =>
  pack({
    formats: names.map((name) => format({ name })),
    formulas: [formula({ parameters: [parameter()] })],
  });

export const formatRows: Row[] = [
  [
    "110",
    withFormat({ name: "n".repeat(50) }),
    withFormat({ name: "n".repeat(51) }),
    "FORMAT_NAME_LENGTH formats[0].name",
  ],
  [
    "111",
    withFormat({ matchers: [new RegExp("a".repeat(298))] }),
    withFormat({ matchers: [new RegExp("a".repeat(299))] }),
    "FORMAT_MATCHER formats[0].matchers[0]",
  ],
  [
    "112",
    withFormat({ matchers: [/^https:\/\/tasks\.example\//i, "/as text/u"] }),
    withFormat({ matchers: ["no slashes", "/(/", "/a/zz", 3] }),
    ...[0, 1, 2, 3].map((index) => `FORMAT_MATCHER formats[0].matchers[${index}]`),
  ],
  ["113", matchers(10), matchers(11), "FORMAT_MATCHER_COUNT formats[0].matchers"],
  [
    "114",
    formats(...Array.from({ length: 100 }, (_, index) => `F${index}`)),
    formats(...Array.from({ length: 101 }, (_, index) => `F${index}`)),
    "FORMAT_COUNT formats",
  ],
  [
    "115",
    formats("Track", "Trace"),
    formats("Track", "TRACK"),
    "FORMAT_NAME_DUPLICATE formats[1].name",
  ],
  [
    "116",
    withFormat({}),
    withFormat({ formulaName: "run" }),
    "FORMAT_FORMULA formats[0].formulaName",
  ],
  [
    "117",
    withFormat({}, { parameters: [parameter(), parameter({ name: "b", optional: true })] }),
    withFormat({}, { parameters: [parameter(), parameter({ name: "b" })] }),
    "FORMAT_FORMULA formats[0].formulaName",
  ],
  [
    "117 one parameter",
    withFormat({}),
    withFormat({}, { parameters: [] }),
    "FORMAT_FORMULA formats[0].formulaName",
  ],
  [
    "A12 format",
    withFormat({ placeholder: "" }),
    withFormat({ placeHolder: "" }),
    "KEY_UNKNOWN formats[0].placeHolder",
  ],
];
