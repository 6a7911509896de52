import { describe, expect, it } from "vitest";
import { editorLink } from "../../src/dev/open-editor.ts";

const place = { file: "/home/ada/my packs/pack#1.ts", line: 3, column: 7 };

describe("the link that opens an editor", () => {
  it("opens the file at the line and the column", () => {
    expect(editorLink(place)).toBe("vscode://file/home/ada/my%20packs/pack%231.ts:3:7");
    expect(editorLink({ ...place, file: "C:\\packs\\pack.ts" })).toBe(
      "vscode://file/C:/packs/pack.ts:3:7",
    );
  });

  it("has the form that the author's editor knows", () => {
    expect(editorLink(place, "idea://open?file={file}&line={line}")).toBe(
      "idea://open?file=%2Fhome%2Fada%2Fmy%20packs%2Fpack%231.ts&line=3",
    );
  });

  it("is never one that opens a page, a file or a script", () => {
    for (const template of [
      "https://editor.example/{file}",
      "file://{file}",
      "javascript:alert('{file}')",
      "{file}",
      "vscode://file",
      "",
    ]) {
      expect(() => editorLink(place, template)).toThrow(
        expect.objectContaining({ code: "USAGE_INVALID" }),
      );
    }
  });
});
