import {
  AuthenticationType,
  type ExecutionContext,
  makeObjectSchema,
  makeParameter,
  newPack,
  ParameterType,
  UserVisibleError,
  ValueHintType,
  ValueType,
} from "packsmith";
import { createServiceClient, packTransport } from "packsmith/service";

export const pack = newPack();

pack.addNetworkDomain("docs.planning.example");

pack.setUserAuthentication({
  type: AuthenticationType.HeaderBearerToken,
  getConnectionName: async (context) => (await documents(context).whoami()).name,
});

const TaskSchema = makeObjectSchema({
  properties: {
    id: { type: ValueType.String, required: true },
    title: { type: ValueType.String, required: true },
    // Users can edit mutable properties in the table. executeUpdate writes the edits back.
    status: { type: ValueType.String, mutable: true },
    estimate: { type: ValueType.Number, mutable: true },
    due: { type: ValueType.String, codaType: ValueHintType.Date },
  },
  idProperty: "id",
  displayProperty: "title",
  featuredProperties: ["status", "estimate", "due"],
});

const PAGE_SIZE = 10;

pack.addSyncTable({
  name: "Tasks",
  description: "The tasks of another document.",
  identityName: "Task",
  schema: TaskSchema,
  formula: {
    name: "SyncTasks",
    description: "Reads the tasks page by page.",
    parameters: [
      makeParameter({
        type: ParameterType.String,
        name: "docId",
        description: "The document that holds the tasks.",
      }),
    ],
    execute: async ([docId], context) => {
      // Each page starts at the continuation from the previous page.
      const pageToken = context.sync.continuation?.["pageToken"];
      const page = await tasks(context, docId).rows.list(
        typeof pageToken === "string" ? { pageToken } : { limit: PAGE_SIZE, useColumnNames: true },
      );
      return {
        result: page.items.map(({ id, values }) => toTask(id, values)),
        continuation:
          page.nextPageToken === undefined ? undefined : { pageToken: page.nextPageToken },
      };
    },
    maxUpdateBatchSize: 20,
    executeUpdate: async ([docId], updates, context) => ({
      // Each row has a separate outcome, so a refused row does not stop the other rows.
      result: await Promise.all(
        updates.map(async ({ newValue, updatedFields }) => {
          const { id, status, estimate } = newValue;
          if (Number(estimate) < 0) return new UserVisibleError("An estimate cannot be negative.");
          // Write only the edited columns, because another user may have changed other columns.
          const mutation = await tasks(context, docId).rows.update(id, {
            Status: updatedFields.includes("status") ? (status ?? "") : undefined,
            Estimate: updatedFields.includes("estimate") ? (estimate ?? "") : undefined,
          });
          await documents(context).waitFor(mutation);
          return newValue;
        }),
      ),
    }),
  },
});

function documents(context: ExecutionContext) {
  return createServiceClient({
    baseUrl: "https://docs.planning.example/apis/v1",
    transport: packTransport(context.fetcher),
  });
}

function tasks(context: ExecutionContext, docId: string) {
  return documents(context).doc(docId).table("Tasks");
}

function toTask(id: string, values: Record<string, unknown>) {
  return {
    id,
    title: String(values["Title"]),
    status: String(values["Status"]),
    estimate: Number(values["Estimate"]),
    due: String(values["Due"]),
  };
}
