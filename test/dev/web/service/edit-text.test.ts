import { expect, it } from "vitest";
import { editText } from "../../../../src/dev/web/service/edit-text.ts";

it("an edit of the service is named by what it does and to how many rows", () => {
  const edits = [
    editText("insert"),
    editText("insert", 3),
    editText("update", 1),
    editText("delete", 2),
    editText("push"),
    editText("unknown"),
  ];
  expect(edits).toEqual([
    "write a row",
    "write 3 rows",
    "update a row",
    "delete 2 rows",
    "push a button",
    "unknown",
  ]);
});
