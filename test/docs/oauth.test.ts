import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { authenticationShapes } from "../../src/validate/authentication-shapes.ts";

const page = await readFile(new URL("../../docs/oauth.md", import.meta.url), "utf8");
const members = new Set(
  [authenticationShapes.OAuth2, authenticationShapes.OAuth2ClientCredentials].flatMap(({ shape }) =>
    Object.keys(shape),
  ),
);

describe("docs/oauth.md", () => {
  it.each([...members].filter((member) => member !== "type"))(
    "says when a provider needs %s",
    (member) => {
      expect(page).toMatch(new RegExp(`\\b${member}\\b`));
    },
  );
});
