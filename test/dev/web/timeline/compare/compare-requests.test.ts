import { describe, expect, it } from "vitest";
import {
  type Comparable,
  compareRequests,
} from "../../../../../src/dev/web/timeline/compare/compare-requests.ts";
import { parseCurl } from "../../../../../src/dev/web/timeline/compare/parse-curl.ts";

const SENT: Comparable = parseCurl(
  `curl 'https://API.example/v1/items?limit=10&state=open' -X PUT -H "Authorization: Bearer \${ACCESS_TOKEN}" -H 'Content-Type: application/json' -H 'X-Trace: 1' --data-raw '{"name":"A","tags":["x","y"],"apiKey":"planted-1"}'`,
);

/** The parts that are not the same, as `place name: left → right (state)`. */
function differences(command: string, sent = SENT): string[] {
  return compareRequests(sent, parseCurl(command))
    .filter(({ state }) => state !== "same")
    .map(
      (part) =>
        `${part.place}${part.name && ` ${part.name}`}: ${part.left} → ${part.right} (${part.state})`,
    );
}

describe("comparing a request with a pasted one", () => {
  it("finds no difference in the same request, whose secret is hidden", () => {
    expect(
      differences(
        `curl https://api.example/v1/items?state=open\\&limit=10 -X PUT -H 'x-trace: 1' -H 'content-type: application/json' -H 'authorization: Bearer planted-2' -d '{ "tags": ["x", "y"], "name": "A", "apiKey": "planted-1" }'`,
      ),
    ).toEqual(["Header authorization: Bearer $ACCESS_TOKEN → Bearer •••• (hidden)"]);
  });

  it("shows method, URL, query, headers and members of the body that differ, in this order", () => {
    expect(
      differences(
        `curl 'https://api.example/v2/items?limit=20&cursor=c' -H 'Authorization: token planted-3' -H 'Content-Type: application/json' -d '{"name":"B","tags":["x"],"more":null,"apiKey":"planted-4"}'`,
      ),
    ).toEqual([
      "Method: PUT → POST (different)",
      "URL: https://api.example/v1/items → https://api.example/v2/items (different)",
      "Query limit: 10 → 20 (different)",
      "Query state: open → undefined (missing)",
      "Query cursor: undefined → c (extra)",
      "Header authorization: Bearer $ACCESS_TOKEN → token •••• (different)",
      "Header x-trace: 1 → undefined (missing)",
      'Body name: "A" → "B" (different)',
      'Body tags[1]: "y" → undefined (missing)',
      "Body apiKey: •••• → •••• (different)",
      "Body more: undefined → null (extra)",
    ]);
  });

  it("compares forms by their fields, whatever their order, and other bodies as text", () => {
    const form = parseCurl("curl https://api.example -d 'a=1&b=two%20words'");
    expect(differences("curl https://api.example/ -d b=two+words -d a=1", form)).toEqual([]);
    expect(
      differences("curl https://api.example -H 'Content-Type: text/plain' -d hello", form),
    ).toEqual([
      "Header content-type: application/x-www-form-urlencoded → text/plain (different)",
      "Body a: 1 → undefined (missing)",
      "Body b: two words → undefined (missing)",
      "Body: undefined → hello (extra)",
    ]);
  });

  it("masks what looks like a secret on both sides, in headers, parameters and members", () => {
    const shown = JSON.stringify(
      compareRequests(
        parseCurl("curl https://api.example?x=1"),
        parseCurl(
          "curl 'https://api.example?access_token=planted-a' -u name:planted-b -H 'Cookie: s=planted-c' -H 'X-Api-Key: planted-d' -d 'client_secret=planted-e&password=planted-f'",
        ),
      ),
    );
    expect(shown).not.toContain("planted");
    expect(shown).not.toContain(btoa("name:planted-b"));
  });
});
