import {
  AuthenticationType,
  makeObjectSchema,
  makeParameter,
  newPack,
  ParameterType,
  ValueType,
  withQueryParams,
} from "packsmith";

export const pack = newPack();

// Replace the example host with the host of your API.
const API = "https://api.tasks.example";

pack.addNetworkDomain("tasks.example");

pack.setUserAuthentication({
  type: AuthenticationType.CustomHeaderToken,
  headerName: "X-Api-Key",
  instructionsUrl: "https://tasks.example/help/api-keys",
  getConnectionName: async (context) => {
    const { body } = await context.fetcher.fetch<{ name: string }>({
      method: "GET",
      url: `${API}/me`,
    });
    return body?.name;
  },
});

const TaskSchema = makeObjectSchema({
  properties: {
    id: { type: ValueType.String, required: true },
    title: { type: ValueType.String, required: true },
    done: { type: ValueType.Boolean, required: true },
  },
  idProperty: "id",
  displayProperty: "title",
});

interface Task {
  id: string;
  title: string;
  done: boolean;
}

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
  execute: async ([status], context) => {
    const { body } = await context.fetcher.fetch<Task[]>({
      method: "GET",
      url: withQueryParams(`${API}/tasks`, { status }),
    });
    return body ?? [];
  },
});

pack.addFormula({
  name: "AddTask",
  description: "Adds a task.",
  parameters: [
    makeParameter({
      type: ParameterType.String,
      name: "title",
      description: "The title of the task.",
    }),
  ],
  isAction: true,
  resultType: ValueType.String,
  execute: async ([title], context) => {
    const { body } = await context.fetcher.fetch<Task>({
      method: "POST",
      url: `${API}/tasks`,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ title }),
    });
    return body?.id ?? "";
  },
});
