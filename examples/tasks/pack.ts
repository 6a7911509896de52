import {
  AuthenticationType,
  type ExecutionContext,
  makeObjectSchema,
  makeParameter,
  newPack,
  ParameterType,
  ValueHintType,
  ValueType,
} from "packsmith";
import { createServiceClient, packTransport } from "packsmith/service";

export const pack = newPack();

pack.addNetworkDomain("tasks.example");

pack.setUserAuthentication({
  type: AuthenticationType.OAuth2,
  authorizationUrl: "https://login.tasks.example/authorize",
  tokenUrl: "https://login.tasks.example/token",
  scopes: ["docs:read", "docs:write"],
  additionalParams: { prompt: "consent" },
  useProofKeyForCodeExchange: true,
  pkceChallengeMethod: "S256",
  // The token response contains the URL of the service that stores the documents of this user.
  endpointKey: "service_url",
  getConnectionName: async (context) => (await documents(context).whoami()).name,
});

const docId = makeParameter({
  type: ParameterType.String,
  name: "docId",
  description: "The document that holds the tasks.",
});

const TaskSchema = makeObjectSchema({
  properties: {
    rowId: { type: ValueType.String, required: true },
    title: { type: ValueType.String, required: true },
    status: { type: ValueType.String },
    due: { type: ValueType.String, codaType: ValueHintType.Date },
    estimate: { type: ValueType.Number },
    done: { type: ValueType.Boolean },
  },
  idProperty: "rowId",
  displayProperty: "title",
});

pack.addFormula({
  name: "ListTasks",
  description: "Lists the tasks of a document, oldest first.",
  parameters: [
    docId,
    makeParameter({
      type: ParameterType.Number,
      name: "limit",
      description: "The maximum number of tasks.",
      optional: true,
    }),
  ],
  resultType: ValueType.Array,
  items: TaskSchema,
  execute: async ([doc, limit], context) => {
    const rows = await documents(context)
      .doc(doc)
      .table("Tasks")
      .rows.list({ useColumnNames: true })
      .all({ max: limit ?? 100 });
    return rows.map((row) => toTask(row.id, row.values));
  },
});

pack.addFormula({
  name: "SaveTask",
  description: "Adds a task, or updates the one with this title.",
  parameters: [
    docId,
    makeParameter({
      type: ParameterType.String,
      name: "title",
      description: "The title. If a task with this title exists, it is updated.",
    }),
    makeParameter({ type: ParameterType.String, name: "status", description: "The new status." }),
    makeParameter({
      type: ParameterType.Number,
      name: "estimate",
      description: "The estimate in hours.",
      optional: true,
    }),
  ],
  isAction: true,
  resultType: ValueType.Object,
  schema: makeObjectSchema({
    properties: {
      requestId: { type: ValueType.String, required: true },
      completed: { type: ValueType.Boolean, required: true },
    },
    displayProperty: "requestId",
  }),
  execute: async ([doc, title, status, estimate], context) => {
    const client = documents(context);
    const cells = {
      Title: title,
      Status: status,
      ...(estimate === undefined ? {} : { Estimate: estimate }),
    };
    const mutation = await client
      .doc(doc)
      .table("Tasks")
      .rows.upsert({ key: ["Title"], rows: [cells] });
    const { completed } = await client.waitFor(mutation);
    return { requestId: mutation.requestId, completed };
  },
});

/** The document service, at the endpoint of the connected account. */
function documents(context: ExecutionContext) {
  return createServiceClient({
    baseUrl: context.endpoint ?? "https://docs.tasks.example/apis/v1",
    transport: packTransport(context.fetcher),
  });
}

function toTask(rowId: string, values: Record<string, unknown>) {
  return {
    rowId,
    title: String(values["Title"]),
    status: String(values["Status"]),
    due: String(values["Due"]),
    estimate: Number(values["Estimate"]),
    done: values["Done"] === true,
  };
}
