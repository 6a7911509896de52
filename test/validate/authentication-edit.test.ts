import { describe, expect, it } from "vitest";
import { addAuthentication, lineOfAuthentication } from "../../src/validate/authentication-edit.ts";

const call = `pack.setUserAuthentication({
  type: AuthenticationType.None,
});`;

/** The text of a file after the call was added to it. */
function add(...lines: string[]): string | undefined {
  return addAuthentication({ path: "pack.ts", text: lines.join("\n") }, call)?.text;
}

describe("addAuthentication", () => {
  it("adds the call after the newPack() that has no network domain", () => {
    expect(
      add(
        'import { AuthenticationType, newPack } from "packsmith";',
        "export const pack = newPack();",
        "pack.addFormula({});",
      ),
    ).toBe(`import { AuthenticationType, newPack } from "packsmith";
export const pack = newPack();

${call}
pack.addFormula({});`);
  });

  it("adds the call after the last network domain of this pack", () => {
    const lines = [
      'import { AuthenticationType, newPack } from "packsmith";',
      "const pack = newPack();",
      'pack.addNetworkDomain("one.example");',
      'pack.addNetworkDomain("two.example");',
    ];
    const rest = 'other.addNetworkDomain("three.example");';
    expect(add(...lines, rest)).toBe(`${lines.join("\n")}\n\n${call}\n${rest}`);
  });

  it("returns the line of the call", () => {
    const text = 'import { newPack } from "packsmith";\nexport const pack = newPack();\n';
    expect(addAuthentication({ path: "pack.ts", text }, call)?.line).toBe(4);
    const withoutImport = 'const { newPack } = require("packsmith");\nconst pack = newPack();\n';
    expect(addAuthentication({ path: "pack.ts", text: withoutImport }, call)?.line).toBe(5);
  });

  it("writes the name of the variable that holds the pack", () => {
    expect(
      add('import { AuthenticationType, newPack } from "packsmith";', "const tasks = newPack();"),
    ).toContain("tasks.setUserAuthentication({");
  });

  it.each([
    ['import { AuthenticationType as Auth, newPack } from "packsmith";', "Auth.None"],
    [
      'import * as sdk from "@codahq/packs-sdk";\nimport { newPack } from "packsmith";',
      "sdk.AuthenticationType.None",
    ],
  ])("uses AuthenticationType as the file imports it: %s", (imports, type) => {
    const text = add(imports, "const pack = newPack();");
    expect(text).toContain(`type: ${type},`);
    expect(text?.startsWith(imports)).toBe(true);
  });

  it("imports AuthenticationType next to what the file imports", () => {
    expect(
      add(
        'import type { Pack } from "packsmith";',
        'import { newPack } from "packsmith";',
        "const pack = newPack();",
      ),
    ).toContain(`import type { Pack } from "packsmith";
import { AuthenticationType, newPack } from "packsmith";`);
  });

  it("adds an import when the file has no list of imports from this package", () => {
    for (const line of [
      'import { AuthenticationType } from "other"; const newPack = () => {};',
      'import packsmith from "packsmith"; const { newPack } = packsmith;',
      'import type { newPack } from "packsmith";',
    ])
      expect(add(line, "const pack = newPack();")).toMatch(
        /^import \{ AuthenticationType \} from "packsmith";\n/,
      );
  });

  it("keeps the line ends of the file", () => {
    const text = 'import { newPack } from "packsmith";\r\nconst pack = newPack();\r\n';
    const edited = addAuthentication({ path: "pack.ts", text }, call)?.text ?? "";
    expect(edited.replaceAll("\r\n", "")).not.toContain("\n");
    expect(edited).toContain("newPack();\r\n\r\npack.setUserAuthentication({\r\n");
  });

  it.each([
    ["makes no pack", "export const pack = otherPack();"],
    ["gives its pack no name", "newPack();"],
    ["takes parts of a pack", "const { name } = newPack();"],
    ["cannot be parsed", "const pack = newPack(;"],
  ])("returns undefined for a file that %s", (_, text) => expect(add(text)).toBeUndefined());

  it("returns undefined when the call is not a program in that file", () =>
    expect(
      addAuthentication({ path: "pack.ts", text: "const pack = newPack();" }, "pack.set({"),
    ).toBeUndefined());
});

describe("lineOfAuthentication", () => {
  it("is the line of the first call, and 1 without a call", () => {
    const text = "const pack = newPack();\n\npack.setUserAuthentication({});\n";
    expect(lineOfAuthentication({ path: "pack.ts", text })).toBe(3);
    expect(lineOfAuthentication({ path: "pack.ts", text: "\n\nconst pack = 1;" })).toBe(1);
  });
});
