import { getJson, useApi } from "@repo/api";
import { makeObjectSchema, makeParameter, newPack, ParameterType, ValueType } from "packsmith";

export const pack = newPack();
useApi(pack);

const TaskSchema = makeObjectSchema({
  properties: {
    id: { type: ValueType.String, required: true },
    title: { type: ValueType.String, required: true },
    done: { type: ValueType.Boolean, required: true },
  },
  idProperty: "id",
  displayProperty: "title",
});

pack.addFormula({
  name: "ListTasks",
  description: "Lists your tasks.",
  parameters: [
    makeParameter({
      type: ParameterType.String,
      name: "status",
      description: "The status of the tasks to list. By default, the formula lists all tasks.",
      autocomplete: ["open", "done"],
      optional: true,
    }),
  ],
  resultType: ValueType.Array,
  items: TaskSchema,
  execute: async ([status], context) =>
    (await getJson<{ id: string; title: string; done: boolean }[]>(context, "/tasks", {
      status,
    })) ?? [],
});
