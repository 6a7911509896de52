import * as coda from "@codahq/packs-sdk";
import {
  makeNumericArrayParameter,
  makeNumericFormula,
  makeObjectFormula,
  makeStringFormula,
  makeStringParameter,
} from "@codahq/packs-sdk/dist/legacy_exports";

const name = makeStringParameter("name", "A name.", { optional: true });

export const manifest = coda.newPack();
manifest.setVersion("3.1");
manifest.addNetworkDomain("tasks.example");
manifest.formulas.push(
  makeStringFormula({
    name: "Greet",
    description: "Greets.",
    parameters: [name],
    execute: ([who]) => `Hello ${who}`,
  }),
  makeNumericFormula({
    name: "Sum",
    description: "Adds.",
    parameters: [makeNumericArrayParameter("numbers", "Numbers.")],
    execute: ([numbers]) => numbers.reduce((sum, each) => sum + each, 0),
  }),
  makeObjectFormula({
    name: "Item",
    description: "Gives an item.",
    parameters: [],
    response: {
      schema: coda.makeObjectSchema({
        properties: { "item name": { type: coda.ValueType.String } },
        displayProperty: "item name",
      }),
    },
    execute: async () => ({ "item name": "One" }),
  }) as never,
  coda.makeTranslateObjectFormula({
    name: "Fetch",
    description: "Gets a task.",
    parameters: [name],
    request: { method: "GET", url: "https://tasks.example/tasks/{name}" },
    response: {
      schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } } }),
    },
  }) as never,
  coda.makeEmptyFormula({
    name: "Remove",
    description: "Removes a task.",
    parameters: [name],
    isAction: true,
    request: { method: "GET", url: "https://tasks.example/tasks/{name}" },
  }) as never,
);
