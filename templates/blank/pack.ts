import { makeParameter, newPack, ParameterType, ValueType } from "packsmith";

export const pack = newPack();

pack.addFormula({
  name: "Hello",
  description: "Greets someone.",
  parameters: [
    makeParameter({ type: ParameterType.String, name: "name", description: "Whom to greet." }),
  ],
  examples: [{ params: ["World"], result: "Hello World!" }],
  resultType: ValueType.String,
  execute: async ([name]) => `Hello ${name}!`,
});
