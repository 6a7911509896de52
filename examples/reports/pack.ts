import {
  AuthenticationType,
  type ExecutionContext,
  makeObjectSchema,
  makeParameter,
  newPack,
  ParameterType,
  ValueType,
} from "packsmith";
import { createServiceClient, packTransport } from "packsmith/service";

export const pack = newPack();

pack.addNetworkDomain("reports.example");

// The Pack connects without a user: it exchanges its client ID and secret for a token.
pack.setUserAuthentication({
  type: AuthenticationType.OAuth2ClientCredentials,
  tokenUrl: "https://login.reports.example/token",
  scopes: ["docs:read", "docs:write"],
  getConnectionName: async (context) => (await documents(context).whoami()).name,
});

const docId = makeParameter({
  type: ParameterType.String,
  name: "docId",
  description: "The document that holds the tasks.",
});

pack.addFormula({
  name: "HoursByStatus",
  description: "Adds up the estimated hours of the tasks by status.",
  parameters: [docId],
  resultType: ValueType.Array,
  items: makeObjectSchema({
    properties: {
      status: { type: ValueType.String, required: true },
      tasks: { type: ValueType.Number, required: true },
      hours: { type: ValueType.Number, required: true },
    },
    idProperty: "status",
    displayProperty: "status",
  }),
  execute: async ([doc], context) => {
    const totals = new Map<string, { status: string; tasks: number; hours: number }>();
    for await (const row of documents(context)
      .doc(doc)
      .table("Tasks")
      .rows.list({ useColumnNames: true })) {
      const status = String(row.values["Status"]);
      const total = totals.get(status) ?? { status, tasks: 0, hours: 0 };
      totals.set(status, {
        status,
        tasks: total.tasks + 1,
        hours: total.hours + Number(row.values["Estimate"]),
      });
    }
    return [...totals.values()];
  },
});

pack.addFormula({
  name: "CloseTask",
  description: "Marks the task with this title as done.",
  parameters: [
    docId,
    makeParameter({
      type: ParameterType.String,
      name: "title",
      description: "The title of the task.",
    }),
  ],
  isAction: true,
  resultType: ValueType.String,
  execute: async ([doc, title], context) => {
    const client = documents(context);
    const mutation = await client
      .doc(doc)
      .table("Tasks")
      .rows.upsert({ key: ["Title"], rows: [{ Title: title, Status: "Done", Done: true }] });
    await client.waitFor(mutation);
    return mutation.requestId;
  },
});

function documents(context: ExecutionContext) {
  return createServiceClient({
    baseUrl: "https://docs.reports.example/apis/v1",
    transport: packTransport(context.fetcher),
  });
}
