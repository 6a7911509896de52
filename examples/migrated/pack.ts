import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("books.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.books.example/authorize",
  tokenUrl: "https://login.books.example/token",
  scopes: ["read"],
  useProofKeyForCodeExchange: true,
});

const BookSchema = coda.makeObjectSchema({
  properties: {
    isbn: { type: coda.ValueType.String },
    title: { type: coda.ValueType.String },
    price: {
      type: coda.ValueType.Number,
      codaType: coda.ValueHintType.Currency,
      currencyCode: "EUR",
    },
  },
  idProperty: "isbn",
  displayProperty: "title",
});

pack.addFormula({
  name: "Book",
  description: "Finds a book.",
  parameters: [
    coda.makeParameter({ type: coda.ParameterType.String, name: "isbn", description: "Its ISBN." }),
  ],
  resultType: coda.ValueType.Object,
  schema: BookSchema,
  execute: async ([isbn], context) => {
    const url = coda.withQueryParams("https://api.books.example/books", { isbn });
    const response = await context.fetcher.fetch({ method: "GET", url });
    return response.body;
  },
});

pack.addFormula({
  name: "Gross",
  description: "Adds the tax to a price.",
  connectionRequirement: coda.ConnectionRequirement.None,
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.Number,
      name: "net",
      description: "The price without tax.",
    }),
    coda.makeParameter({
      type: coda.ParameterType.Number,
      name: "rate",
      description: "The tax in per cent.",
      suggestedValue: 19,
    }),
  ],
  resultType: coda.ValueType.Number,
  execute: async ([net, rate]) => Math.round(net * (100 + rate)) / 100,
});
