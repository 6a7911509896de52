import * as z from "zod";
import { documentUrl } from "../../connect/rehearsal/document-service.ts";
import type { Fault } from "../../service/local/control/fault-schema.ts";
import { PROFILES, type ProfileName } from "../../service/local/control/profiles.ts";
import { parseSeedText } from "../../service/local/store/seed-file.ts";
import { type DevRouter, parseBody } from "../router.ts";
import type { DevSession } from "../session/dev-session.ts";
import type { ServiceView } from "../wire/service.ts";
import { type CurrentService, createCurrentService } from "./current-service.ts";
import {
  describeDocs,
  describePage,
  describeRows,
  describeTable,
  type TableChoice,
} from "./describe-documents.ts";
import { describeService, faultKey } from "./describe-service.ts";
import { describePackAccess, setServiceRoutes } from "./pack-access.ts";
import { orServiceFailure } from "./service-link.ts";

/** What the page may change in the control plane, which checks each request. */
const CONTROLS = [
  "clock",
  "mutations/complete",
  "mutations/hold",
  "mutations/warn",
  "latency",
  "rate-limits",
  "reset",
] as const;

const text = z.string();
/** The service itself checks what it gets. */
const members = z.looseObject({});
const startRequest = z.object({
  profile: z.enum(Object.keys(PROFILES) as ProfileName[]),
  seed: z.object({ name: text, text }).optional(),
});
const connectRequest = z.object({ url: text, token: text });
const routeRequest = z.object({ origin: text, isOn: z.boolean() });
const buttonRequest = z.object({ row: text, column: text });
const cellRequest = buttonRequest.extend({
  value: z.union([text, z.number(), z.boolean(), z.array(text).min(1)]),
});
const rowsRequest = z.object({ rows: z.array(text).min(1) });
const faultRequest = z.object({ key: text.optional() });

/** The routes of the view Service. With a seed, its service starts at once. */
export async function addServiceRoutes(
  router: DevRouter,
  session: DevSession,
): Promise<AsyncDisposable> {
  const service = createCurrentService(session);
  session.localDocuments.offer(async () => {
    if (service.link === undefined) await service.start("fast");
    const { origin, token } = service.require();
    // It outlives the rehearsal, for the documents that it has.
    return { origin, url: documentUrl(origin), token, close: async () => {} };
  });
  addLifecycle(router, session, service);
  addDocuments(router, service);
  addRowEdits(router, service);
  for (const path of CONTROLS) {
    router.post(`/api/service/${path}`, async ({ body }) => {
      const answer = await service.require().changeControl(path, parseBody(members, body));
      service.changed();
      return answer;
    });
  }
  addFaults(router, service);
  const { seed } = session.options;
  if (seed !== undefined) await service.start("fast", seed);
  return service;
}

function addLifecycle(router: DevRouter, session: DevSession, service: CurrentService): void {
  router.get("/api/service", async (): Promise<ServiceView> => {
    const link = service.link;
    return {
      running: link === undefined ? undefined : await describeService(service, link),
      access: describePackAccess(session, link, service.account),
    };
  });
  router.post("/api/service/start", async ({ body }) => {
    const { profile, seed } = parseBody(startRequest, body);
    await service.start(
      profile,
      seed === undefined ? undefined : await parseSeedText(seed.text, seed.name),
    );
  });
  router.post("/api/service/connect", async ({ body }) => {
    const { url, token } = parseBody(connectRequest, body);
    await service.connect(url, token);
  });
  router.post("/api/service/stop", () => service.stop());
  router.post("/api/service/route", ({ body }) => {
    const { origin: target } = service.require();
    const { origin, isOn } = parseBody(routeRequest, body);
    const on = describePackAccess(session, service.link, service.account).routes.filter(
      (route) => route.isOn,
    );
    const others = on.map((route) => route.origin).filter((other) => other !== origin);
    setServiceRoutes(session, target, isOn ? [...others, origin] : others);
    service.changed();
  });
  router.post("/api/service/account", () => service.makeAccount());
}

function addDocuments(router: DevRouter, service: CurrentService): void {
  router.get("/api/service/docs", () => describeDocs(service.require()));
  router.get("/api/service/docs/:doc/pages/:page", ({ params }) =>
    describePage(service.require(), params["doc"] ?? "", params["page"] ?? ""),
  );
  router.get("/api/service/docs/:doc/tables/:table", ({ params }) =>
    describeTable(service.require(), readTable(params)),
  );
  router.get("/api/service/docs/:doc/tables/:table/rows", ({ params, query }) => {
    const columns = query.getAll("column").map((column): [string, string] => {
      const at = column.lastIndexOf(":");
      return [column.slice(0, at), column.slice(at + 1)];
    });
    return describeRows(
      service.require(),
      readTable(params),
      columns,
      query.get("next") ?? undefined,
    );
  });
}

/**
 * Edits go through the public API, like those of any program. It accepts them and applies them
 * later.
 */
function addRowEdits(router: DevRouter, service: CurrentService): void {
  const add = <Schema extends z.ZodType>(
    pattern: string,
    schema: Schema,
    send: (
      table: ReturnType<typeof tableOn>,
      body: z.output<Schema>,
    ) => Promise<{ requestId: string }>,
  ): void =>
    router.post(
      `/api/service/docs/:doc/tables/:table/rows/${pattern}`,
      async ({ params, body }) => {
        const table = tableOn(service, readTable(params));
        const { requestId } = await orServiceFailure(send(table, parseBody(schema, body)));
        service.changed();
        return { requestId };
      },
    );
  add("edit", cellRequest, (rows, { row, column, value }) => rows.update(row, { [column]: value }));
  add("add", members, (rows) => rows.insert({ rows: [{}] }));
  add("delete", rowsRequest, (rows, body) => rows.deleteMany(body.rows));
  add("push", buttonRequest, (rows, { row, column }) => rows.pushButton(row, column));
}

function addFaults(router: DevRouter, service: CurrentService): void {
  const change = async (next: (faults: Fault[]) => readonly unknown[]): Promise<void> => {
    const link = service.require();
    const { faults } = await link.control("faults");
    await link.changeControl("faults", { faults: next(faults) });
    service.changed();
  };
  // The service itself checks what a fault is.
  router.post("/api/service/faults/add", ({ body }) =>
    change((faults) => [...faults, parseBody(members, body)]),
  );
  router.post("/api/service/faults/remove", ({ body }) => {
    const { key } = parseBody(faultRequest, body);
    // A fault may have been used up since the page was told, so its place in the list is not
    // enough.
    return change((faults) => {
      const at = faults.findIndex((fault) => faultKey(fault) === key);
      return key === undefined ? [] : faults.filter((_, index) => index !== at);
    });
  });
}

function readTable(params: Readonly<Record<string, string>>): TableChoice {
  return { docId: params["doc"] ?? "", tableId: params["table"] ?? "" };
}

function tableOn(service: CurrentService, { docId, tableId }: TableChoice) {
  return service.require().writer.doc(docId).table(tableId).rows;
}
