import type { ExchangeDetail } from "../execute/execution-result.ts";
import type { ExchangeRecord } from "../oauth/exchange-record.ts";

/** A request to an authorization server in the form in which the timeline keeps all requests. */
export function requestOfExchange(record: ExchangeRecord): ExchangeDetail {
  const { method, url, status, startedAtMs, durationMs, request, response, error, clientAuthentication } = record;
  const said = { ...response?.values, ...defined({ error: response?.error, error_description: response?.errorDescription }) };
  return {
    method,
    url,
    status,
    startedAtMs,
    durationMs,
    requestBytes: request.bytes,
    responseBytes: response?.bytes ?? 0,
    fromCache: false,
    error,
    requestHeaders: { ...request.headers },
    requestBody: bodyOf(record),
    responseHeaders: response === undefined ? undefined : { ...response.headers },
    responseBody: Object.keys(said).length === 0 ? undefined : JSON.stringify(said, undefined, 2),
    authentication: clientAuthentication === undefined ? undefined : `client: ${clientAuthentication}`,
  };
}

function bodyOf({ method, request }: ExchangeRecord): string | undefined {
  const params = Object.entries(request.params);
  if (params.length === 0 || method === "GET") return undefined;
  if (request.headers["content-type"]?.startsWith("application/json") === true) return JSON.stringify(request.params);
  return params.map(([name, value]) => `${encodeURIComponent(name)}=${MASKED.test(value) ? value : encodeURIComponent(value)}`).join("&");
}

const MASKED = /^••••/;

function defined(members: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
