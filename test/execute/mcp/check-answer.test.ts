import { describe, expect, it } from "vitest";
import { findAnswerProblem } from "../../../src/execute/mcp/check-answer.ts";
import type { ElicitationField, ElicitedValue } from "../../../src/execute/mcp/elicitation.ts";

const FIELD: ElicitationField = {
  name: "answer",
  title: "Answer",
  description: undefined,
  type: "text",
  isRequired: true,
  default: undefined,
  options: [],
  format: undefined,
  least: undefined,
  most: undefined,
};
const OPTIONS = [
  { value: "open", title: "Open" },
  { value: "done", title: "Done" },
];

describe("an answer to a question of an MCP server", () => {
  it.each<[Partial<ElicitationField>, ElicitedValue | undefined, string]>([
    [{}, undefined, "An answer is required."],
    [{ least: 3 }, "ab", "Write at least 3 characters."],
    [{ most: 1 }, "ab", "Write at most 1 characters."],
    [{ format: "email" }, "tea", "Write an email address."],
    [{ format: "uri" }, "tasks", "Write a complete URL."],
    [{ format: "date" }, "2026-13-31", "Write a date such as 2026-01-31."],
    [
      { format: "date-time" },
      "2026-01-31",
      "Write a date and a time such as 2026-01-31T09:00:00Z.",
    ],
    [{ type: "number" }, "many", "Write a number."],
    [{ type: "integer" }, 1.5, "Write a whole number."],
    [{ type: "number", least: 0 }, -1, "Write a number of at least 0."],
    [{ type: "number", most: 9 }, 10, "Write a number of at most 9."],
    [{ type: "boolean" }, "yes", "Choose yes or no."],
    [{ type: "choice", options: OPTIONS }, "late", "Choose one of the options."],
    [{ type: "choices", options: OPTIONS }, ["late"], "Choose one or more of the options."],
    [{ type: "choices", options: OPTIONS }, [], "Choose at least 1."],
    [{ type: "choices", options: OPTIONS, most: 1 }, ["open", "done"], "Choose at most 1."],
  ])("is refused for %o: %o", (field, value, problem) => {
    expect(findAnswerProblem({ ...FIELD, ...field }, value)).toBe(problem);
  });

  it.each<[Partial<ElicitationField>, ElicitedValue | undefined]>([
    [{ isRequired: false, format: "email" }, undefined],
    [{ least: 1, most: 1 }, "😀"],
    [{ format: "email" }, "ann@tasks.example"],
    [{ format: "uri" }, "https://tasks.example/"],
    [{ format: "date" }, "2026-01-31"],
    [{ format: "date-time" }, "2026-01-31T09:00:00+01:00"],
    [{ type: "integer", least: 1, most: 9 }, 9],
    [{ type: "boolean" }, false],
    [{ type: "choice", options: OPTIONS }, "open"],
    [{ type: "choices", options: OPTIONS, isRequired: false }, []],
  ])("is accepted for %o: %o", (field, value) => {
    expect(findAnswerProblem({ ...FIELD, ...field }, value)).toBeUndefined();
  });
});
