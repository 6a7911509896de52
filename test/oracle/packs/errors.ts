import * as coda from "@codahq/packs-sdk";

// What a Pack can see of an error.
export const pack = coda.newPack();
pack.setVersion("1");
pack.addNetworkDomain("tasks.example");

function seen(error: Error): object {
  return {
    name: error.name,
    text: String(error),
    message: error.message,
    json: JSON.parse(JSON.stringify(error)),
    members: Object.keys(error).sort(),
    firstLine: error.stack?.split("\n")[0],
    kinds: [
      error instanceof Error,
      error instanceof coda.UserVisibleError,
      error instanceof coda.MissingScopesError,
      coda.StatusCodeError.isStatusCodeError(error),
      coda.MissingScopesError.isMissingScopesError(error),
      coda.ResponseSizeTooLargeError.isResponseSizeTooLargeError(error),
    ],
  };
}

const request: coda.FetchRequest = { method: "GET", url: "https://tasks.example/missing" };
const response = { body: '{"error":"gone"}', headers: { "content-type": "application/json" } };
const ERRORS: Record<string, () => Error> = {
  UserVisible: () => new coda.UserVisibleError("You see this.", new Error("Behind it.")),
  EmptyUserVisible: () => new coda.UserVisibleError(),
  Status: () => new coda.StatusCodeError(404, { error: "gone" }, request, response),
  StatusOfObject: () =>
    new coda.StatusCodeError(400, "no", request, { ...response, body: { error: "gone" } as never }),
  Scopes: () => new coda.MissingScopesError(),
  EmptyScopes: () => new coda.MissingScopesError(""),
  Size: () => new coda.ResponseSizeTooLargeError("Much too large."),
  Asserted: () => caught(() => coda.assertCondition(false, "Not so.")),
  AssertedEmpty: () => caught(() => coda.assertCondition(false, "")),
  Missing: () => caught(() => coda.ensureExists(undefined, "None.")),
  EmptyText: () => caught(() => coda.ensureNonEmptyString("", "No text.")),
};

function caught(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown.");
}

for (const [name, make] of Object.entries(ERRORS))
  pack.addFormula({
    name,
    description: "What is seen of an error.",
    parameters: [],
    resultType: coda.ValueType.String,
    execute: async () => JSON.stringify(seen(make())),
  });

pack.addFormula({
  name: "FromFetcher",
  description: "What is seen of the error of a request.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async (_args, context) => {
    try {
      await context.fetcher.fetch(request);
    } catch (error) {
      return JSON.stringify(seen(error as Error));
    }
    return "";
  },
});

pack.addFormula({
  name: "FromSubclass",
  description: "What is seen of an error of the author's own class.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async () => {
    class LimitError extends coda.UserVisibleError {}
    const error = new LimitError("Too many.");
    return JSON.stringify([
      seen(error),
      error instanceof LimitError,
      coda.StatusCodeError.isStatusCodeError(error),
    ]);
  },
});

pack.addFormula({
  name: "Choices",
  description: "Has choices of which one has no text.",
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "broken",
      description: "A value.",
      autocomplete: async (_context, search) =>
        coda.autocompleteSearchObjects(
          search,
          [{ title: "Abc", id: "1" }, { id: "2" }] as { title: string; id: string }[],
          "title",
          "id",
        ),
    }),
  ],
  resultType: coda.ValueType.String,
  execute: async () => "",
});
