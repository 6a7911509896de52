import {
  AuthenticationType,
  ConnectionRequirement,
  makeObjectSchema,
  makeParameter,
  newPack,
  ParameterType,
  ValueHintType,
  ValueType,
  withQueryParams,
} from "packsmith";

export const pack = newPack();

pack.addNetworkDomain("books.example");

pack.setUserAuthentication({
  type: AuthenticationType.OAuth2,
  authorizationUrl: "https://login.books.example/authorize",
  tokenUrl: "https://login.books.example/token",
  scopes: ["read"],
  useProofKeyForCodeExchange: true,
});

interface Book {
  isbn: string;
  title: string;
  price: number;
}

const BookSchema = makeObjectSchema({
  properties: {
    isbn: { type: ValueType.String },
    title: { type: ValueType.String },
    price: { type: ValueType.Number, codaType: ValueHintType.Currency, currencyCode: "EUR" },
  },
  idProperty: "isbn",
  displayProperty: "title",
});

pack.addFormula({
  name: "Book",
  description: "Finds a book.",
  parameters: [
    makeParameter({ type: ParameterType.String, name: "isbn", description: "Its ISBN." }),
  ],
  resultType: ValueType.Object,
  schema: BookSchema,
  execute: async ([isbn], context) => {
    const url = withQueryParams("https://api.books.example/books", { isbn });
    const { body } = await context.fetcher.fetch<Book>({ method: "GET", url });
    return body ?? null;
  },
});

pack.addFormula({
  name: "Gross",
  description: "Adds the tax to a price.",
  connectionRequirement: ConnectionRequirement.None,
  parameters: [
    makeParameter({
      type: ParameterType.Number,
      name: "net",
      description: "The price without tax.",
    }),
    makeParameter({
      type: ParameterType.Number,
      name: "rate",
      description: "The tax in per cent.",
      suggestedValue: 19,
    }),
  ],
  resultType: ValueType.Number,
  execute: async ([net, rate]) => Math.round(net * (100 + rate)) / 100,
});
