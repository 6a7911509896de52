import {
  AuthenticationType,
  makeObjectSchema,
  newPack,
  type SyncUpdate,
  ValueHintType,
  ValueType,
} from "packsmith";

export const pack = newPack();

// Replace the example host with the host of your API.
const API = "https://api.tasks.example";

pack.addNetworkDomain("tasks.example");

pack.setUserAuthentication({
  type: AuthenticationType.HeaderBearerToken,
  instructionsUrl: "https://tasks.example/help/tokens",
});

const TaskSchema = makeObjectSchema({
  properties: {
    id: { type: ValueType.String, required: true },
    title: { type: ValueType.String, required: true, mutable: true },
    due: { type: ValueType.String, codaType: ValueHintType.Date, mutable: true },
    done: { type: ValueType.Boolean, required: true, mutable: true },
  },
  idProperty: "id",
  displayProperty: "title",
  featuredProperties: ["due", "done"],
});

interface Task {
  id: string;
  title: string;
  due?: string;
  done: boolean;
}

pack.addSyncTable({
  name: "Tasks",
  description: "Your tasks. Your edits are written back.",
  identityName: "Task",
  schema: TaskSchema,
  formula: {
    parameters: [],
    execute: async (_args, context) => {
      const { body } = await context.fetcher.fetch<Task[]>({
        method: "GET",
        url: `${API}/tasks`,
        cacheTtlSecs: 0,
      });
      return { result: body ?? [] };
    },
    // Receives up to ten edited rows at a time. Returns the new state of each row, or the error that
    // the user sees.
    maxUpdateBatchSize: 10,
    executeUpdate: async (_args, updates, context) => {
      const outcomes = await Promise.allSettled(
        updates.map(async (update) => {
          const { body } = await context.fetcher.fetch<Task>({
            method: "PATCH",
            url: `${API}/tasks/${encodeURIComponent(update.newValue.id)}`,
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify(changesOf(update)),
          });
          return body ?? update.newValue;
        }),
      );
      return {
        result: outcomes.map((outcome) =>
          outcome.status === "fulfilled" ? outcome.value : outcome.reason,
        ),
      };
    },
  },
});

/** Returns only the edited properties, so that the edits of other users are not overwritten. */
function changesOf<Row extends object>({ newValue, updatedFields }: SyncUpdate<Row>): Partial<Row> {
  return Object.fromEntries(
    Object.entries(newValue).filter(([name]) => updatedFields.includes(name)),
  ) as Partial<Row>;
}
