import { describe, expect, it } from "vitest";
import { answeredContent, initialAnswers } from "../../../../src/dev/web/mcp/question-answers.ts";
import type { ElicitationField } from "../../../../src/execute/mcp/elicitation.ts";

const FIELD: ElicitationField = {
  name: "title",
  title: "Title",
  description: undefined,
  type: "text",
  isRequired: false,
  default: undefined,
  options: [],
  format: undefined,
  least: undefined,
  most: undefined,
};
const FIELDS: ElicitationField[] = [
  FIELD,
  { ...FIELD, name: "count", type: "integer", default: 3 },
  { ...FIELD, name: "sure", type: "boolean", default: false },
  { ...FIELD, name: "labels", type: "choices", default: ["open"] },
];

describe("the answers to a server on the page", () => {
  it("begin with what the server suggests, and send it", () => {
    const answers = initialAnswers(FIELDS);
    expect(answers).toEqual({ title: undefined, count: "3", sure: false, labels: ["open"] });
    expect(answeredContent(FIELDS, answers)).toEqual({ count: 3, sure: false, labels: ["open"] });
  });

  it("leave out what is empty, and keep what is not a number for the check", () => {
    expect(answeredContent(FIELDS, { title: "", count: "many" })).toEqual({ count: "many" });
  });

  it("read no member that the answers inherit", () => {
    const field = { ...FIELD, name: "constructor" };
    expect(answeredContent([field], {})).toEqual({});
  });
});
