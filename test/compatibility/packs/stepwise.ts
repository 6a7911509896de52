// An older Pack whose schemas are built step by step, from what the API says about its columns.
import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();
pack.addNetworkDomain("grids.example");

interface Column {
  id: string;
  title: string;
  kind: string;
  target?: string;
}

interface PageToken extends coda.Continuation {
  token: string;
  row: number;
}

export const BaseSchema = coda.makeObjectSchema({
  properties: {
    rowId: { type: coda.ValueType.String, fromKey: "id", required: true },
    label: { type: coda.ValueType.String, required: true },
  },
  idProperty: "rowId",
  displayProperty: "label",
  featuredProperties: [],
});

abstract class Converter<ApiValue, CellValue> {
  constructor(readonly column: Column) {}

  getSchema(): coda.Schema & coda.ObjectSchemaProperty {
    const schema = this.baseSchema();
    schema.fromKey = this.column.id;
    schema.fixedId = this.column.id;
    schema.displayName = this.column.title;
    if (schema.mutable === undefined) schema.mutable = this.column.kind !== "formula";
    schema.description = `The column ${this.column.title}.`;
    return schema;
  }

  abstract baseSchema(): coda.Schema & coda.ObjectSchemaProperty;

  toCell(value: ApiValue): CellValue | any {
    return value;
  }
}

class TextConverter extends Converter<string, string> {
  baseSchema() {
    return coda.makeSchema({ type: coda.ValueType.String });
  }
}

class DayConverter extends Converter<{ year: number }, string> {
  baseSchema() {
    return coda.makeSchema({ type: coda.ValueType.String, codaType: coda.ValueHintType.Date });
  }

  override toCell(value: { year: number }) {
    return `${value.year}-01-01`;
  }
}

class ChoiceConverter extends Converter<string, string> {
  baseSchema() {
    return coda.makeSchema({
      type: coda.ValueType.String,
      codaType: coda.ValueHintType.SelectList,
      options: coda.OptionsType.Dynamic,
    });
  }
}

class ListConverter extends Converter<string[], string[]> {
  constructor(readonly inner: Converter<string, string>) {
    super(inner.column);
  }

  baseSchema() {
    return coda.makeSchema({ type: coda.ValueType.Array, items: this.inner.baseSchema() });
  }
}

class PersonConverter extends Converter<string, { email: string }> {
  baseSchema() {
    return coda.makeObjectSchema({
      codaType: coda.ValueHintType.Person,
      properties: {
        name: { type: coda.ValueType.String },
        email: { type: coda.ValueType.String, required: true },
      },
      displayProperty: "name",
      idProperty: "email",
    });
  }
}

class ReferenceConverter extends Converter<string, { id: string }> {
  baseSchema() {
    const schema = coda.makeReferenceSchemaFromObjectSchema(BaseSchema, "Grid");
    schema.identity!.dynamicUrl = this.column.target;
    return schema;
  }
}

function converterOf(column: Column): Converter<any, any> {
  switch (column.kind) {
    case "day":
      return new DayConverter(column);
    case "choice":
      return new ChoiceConverter(column);
    case "list":
      return new ListConverter(new TextConverter(column));
    case "person":
      return new PersonConverter(column);
    case "reference":
      return new ReferenceConverter(column);
    default:
      return new TextConverter(column);
  }
}

async function getGrid(
  context: coda.ExecutionContext,
  url: string,
): Promise<{ title: string; columns: Column[]; choices?: string[] }> {
  const response = await context.fetcher.fetch({ method: "GET", url, cacheTtlSecs: 60 });
  return response.body;
}

pack.addDynamicSyncTable({
  name: "Grid",
  description: "The rows of a grid.",
  identityName: "Grid",
  placeholderSchema: BaseSchema,
  getName: async (context) => (await getGrid(context, context.sync!.dynamicUrl!)).title,
  getDisplayUrl: async (context) =>
    coda.joinUrl("https://grids.example", context.sync!.dynamicUrl!.split("/").pop() as string),
  getSchema: async (context) => {
    const { columns } = await getGrid(context, context.sync!.dynamicUrl!);
    const schema: coda.GenericObjectSchema = {
      ...BaseSchema,
      properties: { ...BaseSchema.properties },
    };
    for (const column of columns) {
      schema.properties[column.title] = converterOf(column).getSchema();
      schema.featuredProperties!.push(column.title);
    }
    return schema;
  },
  propertyOptions: async (context) => {
    const { choices } = await getGrid(context, context.sync!.dynamicUrl!);
    if (choices) return choices;
    return undefined;
  },
  formula: {
    name: "SyncGrid",
    description: "Lists the rows.",
    parameters: [],
    execute: async (_args, context) => {
      const { token, row = 1 } = (context.sync.continuation ?? {}) as PageToken;
      const url = coda.withQueryParams(coda.joinUrl(context.sync.dynamicUrl!, "rows"), { token });
      const response = await context.fetcher.fetch({ method: "GET", url });
      const { columns } = await getGrid(context, context.sync.dynamicUrl!);
      const result = response.body.rows.map((cells: any, index: number) => {
        const converted: Record<string, unknown> = { id: cells.id, label: String(row + index) };
        for (const column of columns)
          converted[column.id] = converterOf(column).toCell(cells[column.id]);
        return converted;
      });
      let continuation: PageToken | undefined;
      if (response.body.next)
        continuation = { token: response.body.next, row: row + result.length };
      return { result, continuation };
    },
    maxUpdateBatchSize: 10,
    executeUpdate: async (_args, updates, context) => {
      const jobs = updates.map(async ({ newValue, previousValue, updatedFields }) => {
        const url = `${context.sync.dynamicUrl}/rows/${previousValue.id as string}`;
        const body = JSON.stringify(
          Object.fromEntries(updatedFields.map((field) => [field, newValue[field]])),
        );
        return (await context.fetcher.fetch({ method: "PATCH", url, body })).body;
      });
      const completed = await Promise.allSettled(jobs);
      return {
        result: completed.map((job) => (job.status === "fulfilled" ? job.value : job.reason)),
      };
    },
  },
});
