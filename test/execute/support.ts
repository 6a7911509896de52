import { createIsolate, type Isolate, type IsolateHost } from "../../src/sandbox/host/isolate.ts";

/** A bundle with one formula whose body is given; `args` and `ctx` are in scope. */
export function writeBundle(body: string, pack = ""): string {
  return `"use strict";
const isHost = (value) => (typeof value === "object" || typeof value === "function") && value !== null && !(value instanceof Object) && Object.getPrototypeOf(value) !== null;
module.exports.pack = { networkDomains: [], formulas: [{ name: "Run", description: "Runs.", parameters: [], resultType: "string", execute: async (args, ctx) => {${body}} }], ${pack} };`;
}

export function loadIsolate(body: string, pack = ""): Promise<Isolate> {
  return createIsolate({ code: writeBundle(body, pack), fileName: "bundle.js" });
}

const CONTEXT = {
  endpoint: undefined,
  invocationLocation: { protocolAndHost: "https://docs.example" },
  timezone: "UTC",
  invocationToken: "token-of-this-invocation",
};

/** A host that refuses every request. Its limit ends only a run that hangs. */
export function refusingHost(timeoutMs = 60_000): IsolateHost {
  return {
    context: CONTEXT,
    timeoutMs,
    fetch: () => Promise.reject(new TypeError("no network here")),
  };
}

/** A Pack with one sync table whose formula's body is given; `args` and `ctx` are in scope. */
export function loadTable(body: string, formula = "", table = ""): Promise<Isolate> {
  const code = `"use strict";
const schema = { type: "object", idProperty: "id", displayProperty: "id", properties: { id: { type: "string", required: true }, due: { type: "string", codaType: "date" }, owner: { type: "object", properties: {} }, status: { type: "string", options: async (ctx) => [ctx.search, ctx.propertyValues.id, ctx.propertyName] } } };
module.exports.pack = { networkDomains: [], formulas: [], syncTables: [{ name: "Things", identityName: "Thing", schema, ${table}
  getter: { name: "Things", parameters: [], execute: async (args, ctx) => {${body}}, ${formula} } }] };`;
  return createIsolate({ code, fileName: "bundle.js" });
}
