// The oldest kind of Pack: factories of their own for every type, and the definition exported as `manifest`.
import type {
  Quota,
  RateLimit,
  RateLimits,
  SyncQuota,
} from "@codahq/packs-sdk/dist/legacy_exports";
import * as coda from "@codahq/packs-sdk/dist/legacy_exports";
import {
  FeatureSet,
  isUserVisibleError,
  makeBooleanArrayParameter,
  makeBooleanParameter,
  makeDateArrayParameter,
  makeDateParameter,
  makeFileArrayParameter,
  makeFileParameter,
  makeHtmlArrayParameter,
  makeHtmlParameter,
  makeImageArrayParameter,
  makeImageParameter,
  makeNumericArrayParameter,
  makeNumericFormula,
  makeNumericParameter,
  makeObjectFormula,
  makeStringArrayParameter,
  makeStringFormula,
  makeStringParameter,
  makeSyncTableLegacy,
  makeUserVisibleError,
  PackCategory,
  QuotaLimitType,
  SyncInterval,
} from "@codahq/packs-sdk/dist/legacy_exports";

const cityParam = makeStringParameter("city", "The city.", {
  autocomplete: coda.makeSimpleAutocompleteMetadataFormula(["Lima", "Oslo"]),
});

const ForecastSchema = coda.makeObjectSchema({
  type: coda.ValueType.Object,
  id: "day",
  primary: "summary",
  featured: ["high"],
  identity: { name: "Forecast" },
  properties: {
    day: { type: coda.ValueType.String, codaType: coda.ValueHintType.Date, required: true },
    summary: { type: coda.ValueType.String, required: true },
    high: { type: coda.ValueType.Number },
  },
});

const rate: RateLimit = { operationsPerInterval: 10, intervalSeconds: 60 };
const rates: RateLimits = { overall: rate, perConnection: rate };
const syncQuota: SyncQuota = { maximumInterval: SyncInterval.Hourly, maximumRowCount: 100 };
const quota: Quota = {
  monthlyLimits: { [QuotaLimitType.Action]: 5 },
  maximumSyncInterval: SyncInterval.Daily,
  sync: syncQuota,
};

export const listing: object = {
  category: PackCategory.Weather,
  minimumFeatureSet: FeatureSet.Basic,
  quotas: { Basic: quota },
  rates,
};

export const manifest: coda.PackVersionDefinition = {
  version: "1.0",
  networkDomains: ["weather.example"],
  defaultAuthentication: { type: coda.AuthenticationType.None },
  formulas: [
    makeStringFormula({
      name: "Weather",
      description: "The weather in words.",
      parameters: [
        cityParam,
        makeStringArrayParameter("words", "Words to use.", { optional: true }),
      ],
      examples: [],
      network: {
        hasSideEffect: false,
        requiresConnection: false,
        connection: coda.NetworkConnection.None,
      },
      response: { schema: { type: coda.ValueType.String, codaType: coda.ValueHintType.Markdown } },
      execute: async ([city, words], context) => {
        try {
          const response = await context.fetcher.fetch({
            method: "GET",
            url: `https://weather.example/${city}`,
          });
          return response.body.text + (words ?? []).join(" ");
        } catch (error) {
          if (isUserVisibleError(error)) throw error;
          throw makeUserVisibleError("The weather is unknown.");
        }
      },
    }),
    makeNumericFormula({
      name: "Temperature",
      description: "How warm it is.",
      parameters: [
        cityParam,
        makeNumericParameter("hour", "The hour."),
        makeNumericArrayParameter("hours", "More hours.", { optional: true }),
        makeBooleanParameter("metric", "In degrees Celsius.", { optional: true }),
        makeBooleanArrayParameter("flags", "Yeses and noes.", { optional: true }),
        makeDateParameter("day", "The day.", { optional: true }),
        makeDateArrayParameter("days", "More days.", { optional: true }),
        makeHtmlParameter("html", "HTML.", { optional: true }),
        makeHtmlArrayParameter("htmls", "More HTML.", { optional: true }),
        makeImageParameter("image", "An image.", { optional: true }),
        makeImageArrayParameter("images", "More images.", { optional: true }),
        makeFileParameter("file", "A file.", { optional: true }),
        makeFileArrayParameter("files", "More files.", { optional: true }),
      ],
      execute: ([city, hour, hours = [], metric, , day]) =>
        String(city).length +
        Number(hour) +
        hours.length +
        (metric ? 1 : 0) +
        (day?.getDate() ?? 0),
    }),
    makeObjectFormula({
      name: "Forecast",
      description: "The weather of the next days.",
      parameters: [cityParam],
      response: {
        schema: { type: coda.ValueType.Array, items: ForecastSchema },
        projectKey: "days",
        onError: () => [],
      },
      execute: async ([city], context) => {
        const response = await context.fetcher.fetch({
          method: "GET",
          url: `https://weather.example/${city}/days`,
        });
        return response.body;
      },
    }),
  ],
  formats: [],
  skills: [],
  syncTables: [
    makeSyncTableLegacy(
      "Forecasts",
      ForecastSchema,
      {
        name: "SyncForecasts",
        description: "Lists forecasts.",
        parameters: [cityParam],
        execute: async () => ({ result: [{ day: "2024-01-01", summary: "Sunny" }] }),
      },
      coda.ConnectionRequirement.None,
      { entityName: "Forecast" },
      "All forecasts",
    ),
  ],
};
