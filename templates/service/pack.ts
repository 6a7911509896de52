import {
  AuthenticationType,
  type ExecutionContext,
  makeObjectSchema,
  makeParameter,
  newPack,
  ParameterType,
  ValueType,
} from "packsmith";
import { createServiceClient, packTransport, rowQuery } from "packsmith/service";

export const pack = newPack();

// Replace the example host with the host of the document service.
const SERVICE = "https://docs.service.example/apis/v1";

pack.addNetworkDomain("service.example");

pack.setUserAuthentication({
  type: AuthenticationType.HeaderBearerToken,
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
    status: { type: ValueType.String, required: true },
  },
  idProperty: "rowId",
  displayProperty: "title",
});

pack.addFormula({
  name: "TasksByStatus",
  description: "Lists the tasks of a document that have a status.",
  parameters: [
    docId,
    makeParameter({
      type: ParameterType.String,
      name: "status",
      description: "The status, such as Done.",
    }),
  ],
  resultType: ValueType.Array,
  items: TaskSchema,
  execute: async ([doc, status], context) => {
    const tasks = documents(context).doc(doc).table("Tasks");
    const rows = await tasks.rows
      .list({ useColumnNames: true, query: rowQuery("Status", status), limit: 5 })
      .all({ max: 5 });
    return rows.map(({ id, values }) => ({
      rowId: id,
      title: String(values["Title"]),
      status: String(values["Status"]),
    }));
  },
});

pack.addFormula({
  name: "AddTask",
  description:
    "Adds a task to a document. Returns the id of the request, which the service carries out soon after.",
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
    const tasks = documents(context).doc(doc).table("Tasks");
    const { requestId } = await tasks.rows.insert({ rows: [{ Title: title, Status: "To do" }] });
    return requestId;
  },
});

function documents(context: ExecutionContext) {
  return createServiceClient({ baseUrl: SERVICE, transport: packTransport(context.fetcher) });
}
