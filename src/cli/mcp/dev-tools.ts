import { resolve } from "node:path";
import * as z from "zod";
import { vaultLocation } from "../../accounts/vault-location.ts";
import { type DevClient, openDevClient } from "../../dev/running-instance.ts";
import type { AccountsView, FlowView } from "../../dev/wire/accounts.ts";
import type { PackView } from "../../dev/wire/pack.ts";
import type { RunView } from "../../dev/wire/run.ts";
import type { TimelineDetail, TimelineView } from "../../dev/wire/timeline.ts";
import { requireInside } from "./inside-project.ts";
import { READS, type Tool, type ToolCall } from "./tool.ts";

interface DevTool extends Pick<Tool, "name" | "title" | "description" | "input"> {
  /** Members of the answer, next to `ok`. */
  answer: z.ZodObject;
  read(client: DevClient, input: Readonly<Record<string, unknown>>): Promise<object>;
}

const file = z.string().optional().describe("Entry file of the Pack. Default: pack.ts");
const object = z.looseObject({});
const SHOWN_REQUESTS = 50;
const SHOWN_ROWS = 20;

const READERS: readonly DevTool[] = [
  {
    name: "dev_run",
    title: "Show the last run in packsmith dev",
    description:
      "Show the state of the Pack in packsmith dev, and the result, logs and failure of the last run. packsmith dev must be running",
    input: z.strictObject({ file }),
    answer: z.strictObject({
      pack: object,
      run: object.nullable(),
      rows: z.unknown().optional(),
    }),
    async read(client) {
      const { name, status, revision } = (await client.get("/api/pack")) as PackView;
      const runs = (await client.get("/api/runs")) as RunView[];
      const last = runs.at(-1);
      if (last === undefined) return { pack: { name, status, revision }, run: null };
      const rows =
        last.kind === "rows"
          ? await client.get(`/api/runs/${last.id}/rows?from=0&count=${SHOWN_ROWS}`)
          : undefined;
      const { schema: _schema, columns: _columns, ...run } = last;
      return { pack: { name, status, revision }, run, rows };
    },
  },
  {
    name: "dev_requests",
    title: "Show requests in packsmith dev",
    description:
      "List the requests in packsmith dev, or show one request with headers and bodies. Secrets are masked",
    input: z.strictObject({
      file,
      id: z.int().optional().describe("ID of a request in the list"),
    }),
    answer: z.strictObject({
      requests: z.array(object).optional(),
      total: z.int().optional(),
      request: object.optional(),
    }),
    async read(client, { id }) {
      if (id === undefined) {
        const { rows } = (await client.get("/api/timeline")) as TimelineView;
        return { requests: rows.slice(-SHOWN_REQUESTS), total: rows.length };
      }
      return { request: (await client.get(`/api/timeline/${Number(id)}`)) as TimelineDetail };
    },
  },
  {
    name: "dev_connection",
    title: "Show the connection in packsmith dev",
    description:
      "Show the accounts in packsmith dev, and the steps of the last connection. For a failed connection, show the cause and the fix",
    input: z.strictObject({ file }),
    answer: z.strictObject({
      accounts: z.array(object),
      vault: z.unknown(),
      connection: object.nullable(),
    }),
    async read(client) {
      const { slots, vault } = (await client.get("/api/accounts")) as AccountsView;
      const flows = (await client.get("/api/flows")) as FlowView[];
      const accounts = slots.map(({ slot, type, accounts: connected }) => ({
        slot,
        type,
        accounts: connected,
      }));
      const last = flows.at(-1);
      if (last === undefined) return { accounts, vault, connection: null };
      // The link opens the account of whoever follows it.
      const { startUrl: _startUrl, lanes: _lanes, choice: _choice, ...connection } = last;
      return { accounts, vault, connection };
    },
  },
];

/** What `packsmith dev` shows. Nothing here changes anything. */
export const DEV_TOOLS: readonly Tool[] = READERS.map(({ answer, read, ...facts }) => ({
  ...facts,
  output: async () => answer.extend({ ok: z.literal(true) }),
  effects: READS,
  async call(
    { file = "pack.ts", ...input }: Readonly<Record<string, unknown>>,
    { cwd, env }: ToolCall,
  ) {
    requireInside(String(file), cwd);
    const { home } = vaultLocation(env);
    const client = await openDevClient(home, resolve(cwd, String(file)));
    return { ok: true, ...(await read(client, input)) };
  },
}));
