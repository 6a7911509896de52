// An older Pack that was never type-checked strictly: helpers without types, lists that begin empty.
import * as sdk from "@codahq/packs-sdk";
export const pack = sdk.newPack();

const PageSize = 50;
const PlaceUrl = /^https:\/\/places.example\/([^/]+)/;

pack.addNetworkDomain("places.example");

const PlaceSchema = sdk.makeObjectSchema({
  properties: {
    id: { type: sdk.ValueType.Number },
    name: { type: sdk.ValueType.String },
    fullName: { type: sdk.ValueType.String, fromKey: "full_name" },
    visits: { type: sdk.ValueType.Number, fromKey: "visit_count" },
  },
  displayProperty: "name",
  idProperty: "id",
  featuredProperties: ["visits"],
});

pack.addFormula({
  name: "Place",
  description: "A place by its address.",
  parameters: [
    sdk.makeParameter({
      type: sdk.ParameterType.String,
      name: "url",
      description: "The address.",
      autocomplete: async (context, search) => {
        const places = await getPlaces(context);
        return sdk.autocompleteSearchObjects(search, places, "name", "url");
      },
    }),
    sdk.makeParameter({
      type: sdk.ParameterType.String,
      name: "part",
      description: "Which part of it.",
      optional: true,
      autocomplete: async (context, search, { url }) => {
        const results = [];
        for (const place of await getPlaces(context)) {
          results.push({ display: place.name, value: place.parts[url] });
        }
        return results;
      },
    }),
  ],
  resultType: sdk.ValueType.Object,
  schema: PlaceSchema,
  execute: async ([url, part = "main"], context) => {
    const { name } = parseUrl(url);
    try {
      const response = await context.fetcher.fetch({
        method: "GET",
        url: `https://places.example/api/${name}/${part}`,
      });
      const place = response.body;
      return { ...place, name: place.name.trim() };
    } catch (error) {
      if (sdk.StatusCodeError.isStatusCodeError(error)) {
        const statusError = error as sdk.StatusCodeError;
        const message = statusError.body?.message;
        if (message) throw new sdk.UserVisibleError(message);
      }
      throw error;
    }
  },
});

pack.addFormula({
  name: "Steps",
  description: "Numbers the steps.",
  parameters: [
    sdk.makeParameter({
      type: sdk.ParameterType.Number,
      name: "start",
      description: "The first number.",
    }),
  ],
  varargParameters: [
    sdk.makeParameter({
      type: sdk.ParameterType.String,
      name: "label",
      description: "What it is.",
    }),
    sdk.makeParameter({ type: sdk.ParameterType.String, name: "step", description: "What to do." }),
  ],
  resultType: sdk.ValueType.String,
  execute: async ([start, ...varargs], context) => {
    const lines = [];
    let count = start;
    let label, step;
    while (varargs.length > 0) {
      [label, step, ...varargs] = varargs;
      lines.push(`${count++}. ${label}: ${step}`);
    }
    return lines.join("\n");
  },
});

pack.addSyncTable({
  name: "Places",
  description: "Every place.",
  identityName: "Place",
  schema: PlaceSchema,
  formula: {
    name: "SyncPlaces",
    description: "Lists the places.",
    parameters: [],
    execute: async ([], context) => {
      const page = (context.sync.continuation?.page as number) || 1;
      const url = sdk.withQueryParams("https://places.example/api", {
        page: page,
        size: PageSize,
        before: context.sync.continuation?.token,
      });
      const response = await context.fetcher.fetch({ method: "GET", url: url });
      const rows = [];
      for (const item of response.body.items) {
        const row = { id: item.id, name: item.name };
        row[item.key] = item.value;
        rows.push(row);
      }
      let continuation;
      if (rows.length > 0) {
        continuation = { page: page + 1 };
      }
      return { result: rows, continuation: continuation };
    },
  },
});

pack.addDynamicSyncTable({
  name: "Tour",
  description: "The stops of a tour.",
  identityName: "Stop",
  listDynamicUrls: async (context) => {
    const results = [];
    for (const place of await getPlaces(context)) {
      results.push({ display: place.title, value: place.href });
    }
    return results;
  },
  getName: async (context) => {
    const tour = await getTour(context, context.sync.dynamicUrl);
    return tour.title;
  },
  getDisplayUrl: async (context) => context.sync.dynamicUrl,
  getSchema: async (context) => {
    const tour = await getTour(context, context.sync.dynamicUrl);
    const properties: sdk.ObjectSchemaProperties = {
      at: { type: sdk.ValueType.String, codaType: sdk.ValueHintType.DateTime },
      stopId: { type: sdk.ValueType.String },
    };
    const displayProperty = "at";
    const featuredProperties = [];
    for (const field of tour.fields) {
      properties[field.name] = getPropertySchema(field);
      featuredProperties.push(field.name);
    }
    return sdk.makeObjectSchema({
      properties: properties,
      displayProperty: displayProperty,
      idProperty: "stopId",
      featuredProperties: featuredProperties,
    });
  },
  formula: {
    name: "SyncTour",
    description: "Lists the stops.",
    parameters: [],
    execute: async ([], context) => {
      const tour = await getTour(context, context.sync.dynamicUrl);
      return { result: tour.stops, continuation: tour.next };
    },
  },
});

pack.setUserAuthentication({
  type: sdk.AuthenticationType.HeaderBearerToken,
  getConnectionName: async (context) => {
    const response = await context.fetcher.fetch({
      method: "GET",
      url: "https://places.example/api/me",
    });
    return response.body.name;
  },
});

async function getPlaces(context) {
  const response = await context.fetcher.fetch({
    method: "GET",
    url: "https://places.example/api",
  });
  return response.body.items;
}

async function getTour(context, url) {
  const response = await context.fetcher.fetch({ method: "GET", url: url, cacheTtlSecs: 0 });
  return response.body;
}

function getPropertySchema(field): sdk.Schema & sdk.ObjectSchemaProperty {
  const schema: any = { displayName: field.title, fromKey: field.id };
  switch (field.type) {
    case "yes_no":
      schema.type = sdk.ValueType.Boolean;
      break;
    case "list":
      schema.type = sdk.ValueType.Array;
      schema.items = { type: sdk.ValueType.String };
      break;
    default:
      schema.type = sdk.ValueType.String;
  }
  return schema;
}

function parseUrl(url) {
  const match = url.match(PlaceUrl);
  if (!match) {
    throw new sdk.UserVisibleError("This is no place: " + url);
  }
  return { name: match[1] };
}
