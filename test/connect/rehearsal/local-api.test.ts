import { expect, it } from "vitest";
import { createLocalApi } from "../../../src/connect/rehearsal/local-api.ts";
import type { PackVersionDefinition } from "../../../src/define/pack.ts";

const text = `
  interface Issue { number: number; title: string }
  const list = fetch<Issue[]>({ method: "GET", url: \`https://api.code.example/repos/\${repo}/issues\` });
  const one = fetch<Issue>({ method: "POST", url: \`https://api.code.example/repos/\${repo}/issues\` });
  const user = fetch<{ login: string }>({ method: "GET", url: \`https://api.code.example/users/\${id}\` });`;
const sources = [{ path: "pack.ts", text }];
const definition = {} as PackVersionDefinition;
const api = createLocalApi(() => ({ definition, sources }), "https://api.code.example");

const answer = (method: string, path: string, body = "") =>
  api.answer({ method, path, body } as never, { name: "Ada", scopes: [] } as never);

it("a part of a path that only a run knows may have a slash, such as owner/name", async () => {
  expect(await answer("GET", "/repos/ada/engine/issues")).toMatchObject({
    body: [
      { number: 10, title: "Sample title 1" },
      { number: 20, title: "Sample title 2" },
    ],
  });
  expect(await answer("POST", "/repos/ada/engine/issues", '{ "title": "Loud" }')).toMatchObject({
    body: { number: 10, title: "Loud" },
  });
});

it("a path that fits exactly is preferred", async () => {
  expect(await answer("GET", "/users/ada")).toMatchObject({ body: { login: "Ada" } });
});
