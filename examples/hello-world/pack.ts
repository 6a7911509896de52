import { makeParameter, newPack, ParameterType, ValueType } from "packsmith";

export const pack = newPack();

pack.addFormula({
  name: "Hello",
  description: "Greets someone.",
  parameters: [
    makeParameter({ type: ParameterType.String, name: "name", description: "Whom to greet." }),
    makeParameter({
      type: ParameterType.Number,
      name: "times",
      description: "How often.",
      optional: true,
    }),
  ],
  resultType: ValueType.String,
  examples: [{ params: ["World"], result: "Hello World!" }],
  execute: async ([name, times = 1]) =>
    Array.from({ length: times }, () => `Hello ${name}!`).join(" "),
});
