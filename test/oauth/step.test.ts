import { describe, expect, it } from "vitest";
import type {
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
} from "../../src/define/oauth.ts";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";
import {
  exchangeStep,
  obtainStep,
  prepare,
  renewalStep,
  renewStep,
  type Step,
  type StepInputs,
} from "../../src/oauth/step.ts";

const URL_OF_TOKENS = "https://as.example/t";
const client = { clientId: "id", clientSecret: "s&t" };
const FORM = "application/x-www-form-urlencoded;charset=UTF-8";
const basic = `Basic ${btoa("id:s&t")}`;

function code(members: object = {}): OAuthDefinition {
  const urls = { authorizationUrl: "https://as.example/a", tokenUrl: URL_OF_TOKENS };
  return { type: "OAuth2", ...urls, ...members } as OAuth2Authentication;
}
function machine(members: object = {}): OAuthDefinition {
  const definition = { type: "OAuth2ClientCredentials", tokenUrl: URL_OF_TOKENS, ...members };
  return definition as OAuth2ClientCredentialsAuthentication;
}
const exchange = (members: object = {}) =>
  code({
    tokenExchange: { url: URL_OF_TOKENS, params: { subject_token: "{token}" }, ...members },
    nestedResponseKey: "data",
    tokenRequestFormat: "json",
  });

interface Expected {
  method?: string;
  url?: string;
  body: string | undefined;
  headers?: Record<string, string>;
}

const rows: [
  what: string,
  step: Step,
  inputs: Partial<StepInputs> & { grant: string },
  Expected,
][] = [
  [
    "a form, with the credentials in the body",
    obtainStep(code(), URL_OF_TOKENS),
    { grant: "grant_type=authorization_code&code=c" },
    {
      body: "grant_type=authorization_code&code=c&client_id=id&client_secret=s%26t",
      headers: { "content-type": FORM },
    },
  ],
  [
    "the credentials in the header, and not in the body",
    obtainStep(code(), URL_OF_TOKENS),
    {
      grant: "grant_type=x&client_id=a&client_secret=b",
      authentication: { client, method: "basic" },
    },
    { body: "grant_type=x", headers: { "content-type": FORM, authorization: basic } },
  ],
  [
    "an assertion in place of the secret",
    obtainStep(code(), URL_OF_TOKENS),
    {
      grant: "grant_type=x",
      authentication: { client, method: "private_key_jwt", assertion: "a.b.c" },
    },
    {
      body: `grant_type=x&client_id=id&client_assertion_type=${encodeURIComponent("urn:ietf:params:oauth:client-assertion-type:jwt-bearer")}&client_assertion=a.b.c`,
    },
  ],
  [
    "the parameters of the definition, which replace none of the grant",
    obtainStep(
      code({ tokenParams: { audience: "api", code: "planted", again: "{state}" } }),
      URL_OF_TOKENS,
    ),
    { grant: "code=c", values: { state: "s1" }, authentication: { client, method: "basic" } },
    { body: "code=c&audience=api&again=s1" },
  ],
  [
    "JSON, with the types of the definition and a list for what repeats",
    obtainStep(
      code({ tokenRequestFormat: "json", tokenParams: { ttl: 60, on: true } }),
      URL_OF_TOKENS,
    ),
    { grant: "resource=a&resource=b", authentication: { client, method: "basic" } },
    {
      body: '{"resource":["a","b"],"ttl":60,"on":true}',
      headers: { "content-type": "application/json", authorization: basic },
    },
  ],
  [
    "JSON with other names",
    obtainStep(
      code({
        tokenRequestFormat: "json",
        tokenParams: { ttl: 60 },
        parameterNames: { client_id: "key", client_secret: "", ttl: "seconds" },
      }),
      URL_OF_TOKENS,
    ),
    { grant: "code=c" },
    { body: '{"code":"c","key":"id","seconds":60}' },
  ],
  [
    "parameters in the URL, whose own query stays as it is",
    obtainStep(machine({ tokenRequestFormat: "query" }), `${URL_OF_TOKENS}?v`),
    { grant: "grant_type=client_credentials", authentication: { client, method: "basic" } },
    { url: `${URL_OF_TOKENS}?v&grant_type=client_credentials`, body: undefined },
  ],
  [
    "the headers of the definition, and no authentication of a library or of the definition",
    obtainStep(
      code({ tokenHeaders: { "X-Version": "2", Authorization: "planted" } }),
      URL_OF_TOKENS,
    ),
    { grant: "code=c", headers: { accept: "application/json", authorization: "library" } },
    {
      body: "code=c&client_id=id&client_secret=s%26t",
      headers: { accept: "application/json", "content-type": FORM, "x-version": "2" },
    },
  ],
  [
    "the client ID of a device next to Basic",
    obtainStep(code(), URL_OF_TOKENS),
    {
      grant: "grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=d",
      authentication: { client, method: "basic" },
    },
    {
      body: `grant_type=${encodeURIComponent("urn:ietf:params:oauth:grant-type:device_code")}&device_code=d&client_id=id`,
    },
  ],
  [
    "a refresh has its own parameters",
    renewStep(code({ tokenParams: { a: "1" }, refreshParams: { type: "refresh" } }), URL_OF_TOKENS),
    { grant: "grant_type=refresh_token", authentication: { client, method: "basic" } },
    { body: "grant_type=refresh_token&type=refresh" },
  ],
  [
    "an exchange is a form with the first token, whatever the format of the first request is",
    exchangeStep(exchange(), URL_OF_TOKENS),
    { grant: "", values: { token: "first" }, authentication: { client, method: "basic" } },
    { body: "subject_token=first", headers: { "content-type": FORM, authorization: basic } },
  ],
  [
    "an exchange with GET has everything in the URL",
    exchangeStep(exchange({ method: "GET" }), URL_OF_TOKENS),
    { grant: "grant_type=g", values: { token: "a b" } },
    {
      method: "GET",
      url: `${URL_OF_TOKENS}?grant_type=g&client_id=id&client_secret=s%26t&subject_token=a+b`,
      body: undefined,
      headers: {},
    },
  ],
  [
    "other names than in the authorization request",
    obtainStep(
      code({
        parameterNames: { client_id: "client_key" },
        tokenParameterNames: { code: "auth_code" },
      }),
      URL_OF_TOKENS,
    ),
    { grant: "code=c" },
    { body: "auth_code=c&client_id=id&client_secret=s%26t" },
  ],
  [
    "a renewal with the access token, without the client",
    renewalStep(
      code(),
      { url: URL_OF_TOKENS, method: "GET", params: { access_token: "{token}" } },
      URL_OF_TOKENS,
    ),
    {
      grant: "grant_type=renew",
      values: { token: "at" },
      headers: { authorization: "planted" },
      authentication: undefined,
    },
    {
      method: "GET",
      url: `${URL_OF_TOKENS}?grant_type=renew&access_token=at`,
      body: undefined,
      headers: {},
    },
  ],
];

describe("prepare", () => {
  it.each(rows)("writes %s", (_, step, { grant, ...inputs }, expected) => {
    const authentication = { client, method: "body" } as const;
    const params = new URLSearchParams(grant);
    const request = prepare(step, { authentication, ...inputs, params });
    const { method = "POST", url = URL_OF_TOKENS, body, headers } = expected;
    expect(request).toMatchObject({ method, url, body });
    if (headers !== undefined) expect(Object.fromEntries(request.headers)).toEqual(headers);
    // What it was given stays as it was.
    expect(params.toString()).toBe(new URLSearchParams(grant).toString());
  });

  it("gives the same request for the same inputs", () => {
    const step = obtainStep(code(), URL_OF_TOKENS);
    const inputs = {
      params: new URLSearchParams("code=c"),
      authentication: { client, method: "body" } as const,
    };
    const [one, other] = [prepare(step, inputs), prepare(step, inputs)];
    expect({ ...one, headers: [...one.headers], params: [...one.params] }).toEqual({
      ...other,
      headers: [...other.headers],
      params: [...other.params],
    });
  });

  it("shows the parameters by the names of the protocol, for records", () => {
    const step = obtainStep(code({ parameterNames: { client_id: "key" } }), URL_OF_TOKENS);
    const authentication = { client, method: "none" } as const;
    const { params, body } = prepare(step, {
      params: new URLSearchParams("code=c"),
      authentication,
    });
    expect([params.toString(), body]).toEqual(["code=c&client_id=id", "code=c&key=id"]);
  });
});

describe("a step", () => {
  it("says how its response is read: that of an exchange has its tokens at the top", () => {
    const definition = exchange();
    expect(obtainStep(definition, URL_OF_TOKENS).response.nestedResponseKey).toBe("data");
    expect(renewStep(definition, URL_OF_TOKENS).response.nestedResponseKey).toBe("data");
    expect(exchangeStep(definition, URL_OF_TOKENS).response.nestedResponseKey).toBeUndefined();
  });

  it("of a client itself has the additional parameters of its definition", () => {
    const members = { additionalParams: { a: 1, b: 1 }, tokenParams: { b: 2 } };
    expect(obtainStep(machine(members), URL_OF_TOKENS).params).toEqual({ a: 1, b: 2 });
    expect(obtainStep(code(members), URL_OF_TOKENS).params).toEqual({ b: 2 });
  });
});
