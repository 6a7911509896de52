import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchItems, wordsOfName } from "../../../../src/dev/web/parts/search.ts";

const items = [
  { title: "ListTasks", texts: ["Every task of a project."] },
  { title: "Project", texts: ["One project."] },
  { title: "TaskCount", texts: [] },
  { title: "Add", texts: ["Adds a task."] },
];
const found = (query: string) => searchItems(items, query).map(({ title }) => title);

describe("a search", () => {
  it("finds all items, in their order, without a query", () => {
    expect(found(" ")).toEqual(["ListTasks", "Project", "TaskCount", "Add"]);
  });

  it("gives titles that begin with the query first, then titles with its words, then descriptions", () => {
    expect(found("TASK")).toEqual(["TaskCount", "ListTasks", "Add"]);
  });

  it("finds items that have every word of the query, in any order", () => {
    expect(found("project task")).toEqual(["ListTasks"]);
    expect(found("project nothing")).toEqual([]);
  });
});

describe("the words of a name", () => {
  it.each([
    ["ListOpenTasks", ["List", "Open", "Tasks"]],
    ["getURL2", ["get", "URL2"]],
    ["list_open", ["list_", "open"]],
    ["", [""]],
  ])("of %s", (name, words) => {
    expect(wordsOfName(name)).toEqual(words);
  });

  it("are the name again when they are joined, whatever it is", () => {
    fc.assert(fc.property(fc.string(), (name) => wordsOfName(name).join("") === name));
  });
});
