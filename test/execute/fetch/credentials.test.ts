import { describe, expect, it } from "vitest";
import type { SecretAuthentication } from "../../../src/define/authentication.ts";
import { listSecretTexts } from "../../../src/execute/fetch/credentials.ts";

describe("the texts that show an account's credentials", () => {
  it.each<[string, SecretAuthentication, Record<string, string>, string[]]>([
    ["are its token", { type: "HeaderBearerToken" }, { token: "Tok" }, ["Tok"]],
    ["are none without a value", { type: "HeaderBearerToken" }, {}, []],
    [
      "include what Basic sends",
      { type: "WebBasic" },
      { username: "ada", password: "Pass" },
      ["Pass", Buffer.from("ada:Pass").toString("base64")],
    ],
    [
      "include values in lower case if a template can put them into a host",
      {
        type: "Custom",
        params: [
          { name: "apiKey", description: "" },
          { name: "domain", description: "" },
        ],
      },
      { apiKey: "Key", domain: "Acme" },
      ["Key", "key"],
    ],
    [
      "do not include the ID of a key",
      { type: "AWSAccessKey", service: "s3" },
      { accessKeyId: "AKIA", secretAccessKey: "Secret" },
      ["Secret"],
    ],
  ])("%s", (_, authentication, secrets, texts) => {
    expect(listSecretTexts({ authentication, secrets })).toEqual(texts);
  });
});
