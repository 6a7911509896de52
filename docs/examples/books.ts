import {
  AuthenticationType,
  type ExecutionContext,
  makeObjectSchema,
  makeParameter,
  makeReferenceSchemaFromObjectSchema,
  newPack,
  ParameterType,
  SkillModel,
  ToolType,
  ValueHintType,
  ValueType,
  withQueryParams,
} from "packsmith";

export const pack = newPack();

pack.addNetworkDomain("books.example");

pack.setUserAuthentication({
  type: AuthenticationType.HeaderBearerToken,
  instructionsUrl: "https://books.example/settings/tokens",
});

interface Page<Item> {
  items: Item[];
  next?: string;
}

const AuthorSchema = makeObjectSchema({
  properties: {
    id: { type: ValueType.String, required: true },
    name: { type: ValueType.String, required: true },
  },
  idProperty: "id",
  displayProperty: "name",
  identity: { name: "Author" },
});

const BookSchema = makeObjectSchema({
  properties: {
    isbn: { type: ValueType.String, required: true },
    title: { type: ValueType.String, required: true },
    author: makeReferenceSchemaFromObjectSchema(AuthorSchema),
    published: { type: ValueType.String, codaType: ValueHintType.Date, fromKey: "publishedOn" },
    cover: { type: ValueType.String, codaType: ValueHintType.ImageReference },
    rating: { type: ValueType.Number, codaType: ValueHintType.Scale, maximum: 5, mutable: true },
  },
  idProperty: "isbn",
  displayProperty: "title",
  featuredProperties: ["author", "rating"],
});

interface Book {
  isbn: string;
  title: string;
  publishedOn: string;
  rating: number;
}

const shelf = makeParameter({
  type: ParameterType.String,
  name: "shelf",
  description: "The shelf whose books are listed.",
  autocomplete: async (context, search) => {
    const url = withQueryParams("https://books.example/shelves", { q: search });
    const { body } = await context.fetcher.fetch<string[]>({ method: "GET", url });
    return body ?? [];
  },
});

pack.addSyncTable({
  name: "Books",
  description: "The books of a shelf.",
  identityName: "Book",
  schema: BookSchema,
  formula: {
    parameters: [shelf],
    execute: async ([name], context) => {
      const url = withQueryParams("https://books.example/books", {
        shelf: name,
        cursor: context.sync.continuation?.["cursor"],
      });
      const { body } = await context.fetcher.fetch<Page<Book>>({ method: "GET", url });
      const continuation = body?.next === undefined ? undefined : { cursor: body.next };
      return { result: body?.items ?? [], continuation };
    },
    maxUpdateBatchSize: 10,
    executeUpdate: async (_args, updates, context) => ({
      result: await Promise.all(
        updates.map(({ newValue }) => saveRating(context, newValue.isbn, newValue.rating ?? 0)),
      ),
    }),
  },
});

async function saveRating(
  context: ExecutionContext,
  isbn: string,
  rating: number,
): Promise<Book | Error> {
  const url = `https://books.example/books/${encodeURIComponent(isbn)}`;
  const { body } = await context.fetcher.fetch<Book>({
    method: "PATCH",
    url,
    body: JSON.stringify({ rating }),
  });
  return body ?? new Error("The book is gone.");
}

pack.addDynamicSyncTable({
  name: "Collection",
  description: "A collection that the user has made, with columns of its own.",
  identityName: "CollectionItem",
  listDynamicUrls: async (context) => {
    const { body } = await context.fetcher.fetch<{ name: string; url: string }[]>({
      method: "GET",
      url: "https://books.example/collections",
    });
    return (body ?? []).map(({ name, url }) => ({ display: name, value: url }));
  },
  getName: async (context) => (await collection(context)).name,
  getDisplayUrl: async (context) => `${context.sync?.dynamicUrl}/page`,
  getSchema: async (context) => {
    const { columns } = await collection(context);
    const properties = Object.fromEntries(
      columns.map((column) => [column, { type: ValueType.String }]),
    );
    return makeObjectSchema({
      properties: { id: { type: ValueType.String, required: true }, ...properties },
      idProperty: "id",
      displayProperty: "id",
    });
  },
  formula: {
    parameters: [],
    execute: async (_args, context) => ({ result: (await collection(context)).items }),
  },
});

interface Collection {
  name: string;
  columns: string[];
  items: { id: string }[];
}

async function collection(context: ExecutionContext): Promise<Collection> {
  const { body } = await context.fetcher.fetch<Collection>({
    method: "GET",
    url: context.sync?.dynamicUrl ?? "",
  });
  return body ?? { name: "", columns: [], items: [] };
}

pack.addFormula({
  name: "Book",
  description: "The book with this ISBN.",
  parameters: [
    makeParameter({
      type: ParameterType.String,
      name: "isbn",
      description: "The ISBN of the book.",
    }),
  ],
  resultType: ValueType.Object,
  schema: BookSchema,
  execute: async ([isbn], context) => {
    const { body } = await context.fetcher.fetch<Book>({
      method: "GET",
      url: `https://books.example/books/${encodeURIComponent(isbn)}`,
    });
    return body ?? null;
  },
});

pack.addColumnFormat({
  name: "Book",
  instructions: "Shows the book whose page the column links to.",
  formulaName: "Book",
  matchers: [/^https:\/\/books\.example\/books\/(\d+)$/],
});

pack.addSkill({
  name: "Recommend",
  displayName: "Recommend a book",
  description: "Finds a book that suits what the user has liked.",
  prompt: "Look at the ratings in the Books table, then suggest one book and say why.",
  tools: [{ type: ToolType.Pack, formulas: [{ formulaName: "Book" }] }],
  models: [{ model: SkillModel.OpenAIGPT5 }],
});
