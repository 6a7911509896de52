import type { CellEdit } from "../service/contract/models/responses.ts";
import type { Fault } from "../service/local/control/faults.ts";
import { PROFILES, type ProfileName } from "../service/local/control/profiles.ts";
import { describeDocs, describePage, describeRows, describeTable, type TableChoice } from "./describe-documents.ts";
import { describeService } from "./describe-service.ts";
import type { DevSession } from "./dev-session.ts";
import { badRequest, type DevRouter, membersOf, textMember } from "./router.ts";
import { createServiceDesk, type ServiceDesk } from "./service-desk.ts";
import { orServiceFailure } from "./service-link.ts";
import { describeReach, leadRoutes } from "./service-reach.ts";
import type { ServiceView } from "./wire/service.ts";

/** What the page may tell the control plane, which checks it. */
const CONTROLS = ["clock", "mutations/complete", "mutations/hold", "mutations/warn", "latency", "rate-limits", "reset"] as const;

/** The routes of the view Service. */
export function addServiceRoutes(router: DevRouter, session: DevSession): AsyncDisposable {
  const desk = createServiceDesk(session);
  addLife(router, session, desk);
  addDocuments(router, desk);
  addRowEdits(router, desk);
  for (const path of CONTROLS) {
    router.post(`/api/service/${path}`, async ({ body }) => {
      const answer = await desk.require().control(path, membersOf(body));
      desk.changed();
      return answer;
    });
  }
  addFaults(router, desk);
  return desk;
}

function addLife(router: DevRouter, session: DevSession, desk: ServiceDesk): void {
  router.get("/api/service", async (): Promise<ServiceView> => {
    const link = desk.current;
    return {
      running: link === undefined ? undefined : await describeService(desk, link),
      reach: describeReach(session, link, desk.account),
    };
  });
  router.post("/api/service/start", async ({ body }) => {
    await desk.start(profileOf(textMember(body, "profile")));
  });
  router.post("/api/service/connect", async ({ body }) => {
    await desk.connect(textMember(body, "url"), textMember(body, "token"));
  });
  router.post("/api/service/stop", () => desk.stop());
  router.post("/api/service/route", ({ body }) => {
    const { origin: target } = desk.require();
    const origin = textMember(body, "origin");
    const on = describeReach(session, desk.current, desk.account).routes.filter(({ isOn }) => isOn);
    const others = on.map((route) => route.origin).filter((other) => other !== origin);
    leadRoutes(session, target, membersOf(body)["isOn"] === true ? [...others, origin] : others);
    desk.changed();
  });
  router.post("/api/service/account", () => desk.makeAccount());
}

function addDocuments(router: DevRouter, desk: ServiceDesk): void {
  router.get("/api/service/docs", () => describeDocs(desk.require()));
  router.get("/api/service/docs/:doc/pages/:page", ({ params }) => describePage(desk.require(), params["doc"] ?? "", params["page"] ?? ""));
  router.get("/api/service/docs/:doc/tables/:table", ({ params }) => describeTable(desk.require(), tableOf(params)));
  router.get("/api/service/docs/:doc/tables/:table/rows", ({ params, query }) => {
    const columns = query.getAll("column").map((column): [string, string] => {
      const at = column.lastIndexOf(":");
      return [column.slice(0, at), column.slice(at + 1)];
    });
    return describeRows(desk.require(), tableOf(params), columns, query.get("next") ?? undefined);
  });
}

/** Edits go the way of every program: through the public API, which accepts them and applies them later. */
function addRowEdits(router: DevRouter, desk: ServiceDesk): void {
  const add = (pattern: string, send: (table: ReturnType<typeof tableOn>, body: unknown) => Promise<{ requestId: string }>): void =>
    router.post(`/api/service/docs/:doc/tables/:table/rows/${pattern}`, async ({ params, body }) => {
      const { requestId } = await orServiceFailure(send(tableOn(desk, tableOf(params)), body));
      desk.changed();
      return { requestId };
    });
  add("edit", (rows, body) => rows.update(textMember(body, "row"), { [textMember(body, "column")]: cellEditOf(membersOf(body)["value"]) }));
  add("add", (rows) => rows.insert({ rows: [{}] }));
  add("delete", (rows, body) => rows.deleteMany(textsOf(membersOf(body)["rows"])));
  add("push", (rows, body) => rows.pushButton(textMember(body, "row"), textMember(body, "column")));
}

function addFaults(router: DevRouter, desk: ServiceDesk): void {
  const change = async (next: (faults: Fault[]) => readonly unknown[]): Promise<void> => {
    const link = desk.require();
    const { faults } = await link.control<{ faults: Fault[] }>("faults");
    await link.control("faults", { faults: next(faults) });
    desk.changed();
  };
  // The service itself checks what a fault is.
  router.post("/api/service/faults/add", ({ body }) => change((faults) => [...faults, membersOf(body)]));
  router.post("/api/service/faults/remove", ({ body }) => {
    const { index } = membersOf(body);
    return change((faults) => (index === undefined ? [] : faults.filter((_, at) => at !== index)));
  });
}

function tableOf(params: Readonly<Record<string, string>>): TableChoice {
  return { docId: params["doc"] ?? "", tableId: params["table"] ?? "" };
}

function tableOn(desk: ServiceDesk, { docId, tableId }: TableChoice) {
  return desk.require().writer.doc(docId).table(tableId).rows;
}

function cellEditOf(value: unknown): CellEdit {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  throw badRequest("The request has no value for the cell.");
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")) return value;
  throw badRequest("The request names no rows.");
}

function profileOf(text: string): ProfileName {
  if (Object.hasOwn(PROFILES, text)) return text as ProfileName;
  throw badRequest(`There is no profile ${text}.`);
}
