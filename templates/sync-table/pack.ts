import {
  makeObjectSchema,
  makeParameter,
  newPack,
  ParameterType,
  ValueHintType,
  ValueType,
  withQueryParams,
} from "packsmith";

export const pack = newPack();

// Replace the example host with the host of your API.
const API = "https://api.tasks.example";

pack.addNetworkDomain("tasks.example");

const TaskSchema = makeObjectSchema({
  properties: {
    id: { type: ValueType.String, required: true },
    title: { type: ValueType.String, required: true },
    due: { type: ValueType.String, codaType: ValueHintType.Date },
    done: { type: ValueType.Boolean, required: true },
  },
  idProperty: "id",
  displayProperty: "title",
  featuredProperties: ["due", "done"],
});

interface Page {
  tasks: { id: string; title: string; due?: string; done: boolean }[];
  /** The last page has no continuation. */
  nextPage?: string;
}

pack.addSyncTable({
  name: "Tasks",
  description: "All tasks, page by page.",
  identityName: "Task",
  schema: TaskSchema,
  formula: {
    parameters: [
      makeParameter({
        type: ParameterType.String,
        name: "status",
        description: "The status of the tasks to sync. By default, the table syncs all tasks.",
        autocomplete: ["open", "done"],
        optional: true,
      }),
    ],
    execute: async ([status], context) => {
      // The continuation from the previous page.
      const page = context.sync.continuation?.["page"];
      const { body } = await context.fetcher.fetch<Page>({
        method: "GET",
        url: withQueryParams(`${API}/tasks`, { status, page }),
      });
      return {
        result: body?.tasks ?? [],
        continuation: body?.nextPage === undefined ? undefined : { page: body.nextPage },
      };
    },
  },
});
