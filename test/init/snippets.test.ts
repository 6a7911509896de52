import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  formatForJetBrains,
  formatForVsCode,
  readSnippets,
  writeSnippets,
} from "../../src/init/snippets.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const snippet = {
  prefix: "pack-formula-blank",
  description: 'one "formula" & more',
  text: "pack.addFormula({\n  name: `$" + "{name}`, // a < b \\ c\n});",
};

describe("the snippets", () => {
  it("are statements of the templates", async () => {
    const snippets = await readSnippets();
    expect(snippets.map(({ prefix }) => prefix)).toEqual([
      "pack-formula-blank",
      "pack-authentication-api-key",
      "pack-formula-api-key",
      "pack-authentication-oauth2",
      "pack-formula-oauth2",
      "pack-authentication-client-credentials",
      "pack-formula-client-credentials",
      "pack-table-sync-table",
      "pack-authentication-two-way",
      "pack-table-two-way",
      "pack-authentication-service",
      "pack-formula-service",
    ]);
    for (const { text } of snippets) expect(text).toMatch(/^pack\.\w+\(\{\n[\s\S]+\n\}\);$/);
  });

  it("insert their text as it is in VS Code, where $, } and a backslash have a meaning", () => {
    const { body } = JSON.parse(formatForVsCode([snippet]))["pack-formula-blank"];
    expect(body).toHaveLength(3);
    expect(body[2]).toBe("\\});");
    expect(body.join("\n").replace(/\\([\\$}])/g, "$1")).toBe(snippet.text);
  });

  it("insert their text as it is in the editors of JetBrains, where $ has a meaning", () => {
    const text = formatForJetBrains([snippet]);
    const [, value = ""] = / value="([^"]*)" description/.exec(text) ?? [];
    const read = value.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    expect(read.replaceAll("$$", "$")).toBe(snippet.text);
    expect(text).toContain('description="one &#34;formula&#34; &#38; more"');
  });

  it("are written next to what is in a folder", async () => {
    using folder = makeTemporaryFolder();
    const { files } = await writeSnippets(".", folder.path);
    expect(files).toEqual([".vscode/packsmith.code-snippets", ".idea/templates/packsmith.xml"]);
    for (const file of files)
      expect(readFileSync(join(folder.path, file), "utf8")).toContain("pack-table-sync-table");
  });

  it.each([".vscode", ".idea"])("are not written where a link %s leads out", async (name) => {
    using folder = makeTemporaryFolder();
    const [project, outside] = [join(folder.path, "project"), join(folder.path, "outside")];
    for (const path of [project, outside]) mkdirSync(path);
    symlinkSync(outside, join(project, name));
    await expect(writeSnippets(".", project)).rejects.toMatchObject({ code: "OUTSIDE_PROJECT" });
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(project)).toEqual([name]);
  });
});
