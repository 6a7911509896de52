import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createDebugLog } from "../../../shared/debug-log.ts";
import { uptimeMs } from "../../../shared/time.ts";
import type { AnyOperationId } from "../../contract/registry/registry-operations.ts";
import type { ControlPlaneOptions } from "../control/control-plane.ts";
import { serveUploads } from "../registry/upload-store.ts";
import { answerOperation, type OperationContext } from "./answer-operation.ts";
import { getCause, HttpError, sendError } from "./http-error.ts";
import { isQuiet, type ServiceRequestRecord } from "./request-record.ts";
import { API_PATH } from "./resource-metadata.ts";
import type { HostCheck } from "./served-hosts.ts";

const debug = createDebugLog("service");

/** A request that the service could not answer as it should. */
export interface ServiceFailure {
  requestId: string;
  method: string;
  /** Without its query. */
  path: string;
  /** 500 or above. */
  status: number;
  /** Why, for the people who run the service. */
  reason: string;
}

export interface AppOptions extends OperationContext {
  onFailure(failure: ServiceFailure): void;
  record(request: ServiceRequestRecord): void;
  control: ControlPlaneOptions;
  servesHost: HostCheck;
}

/**
 * Answers every request. Those of the API do not pass express, which keeps what it handled in
 * memory for long; what does is
 * loaded with its first request.
 */
export function createApp({
  record,
  control,
  servesHost,
  onFailure,
  ...context
}: AppOptions): RequestListener {
  const { state } = context;
  let others: Promise<RequestListener> | undefined;
  return (request, response) => {
    const { method = "", url = "" } = request;
    const requestId = randomUUID();
    const startedMs = uptimeMs();
    let operation: AnyOperationId | undefined;
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Request-Id", requestId);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.once("close", () => {
      const { statusCode: status } = response;
      const path = url.replace(`/${control.key}`, "");
      debug(
        () =>
          `request: ${method} ${path.replace(/\?.*/s, "")} ${status} in ${Math.round(uptimeMs() - startedMs)} ms${operation === undefined ? "" : ` (${operation})`}`,
      );
      if (status >= 500)
        onFailure({
          requestId,
          method,
          path: path.replace(/\?.*/s, ""),
          status,
          reason: formatReason(response),
        });
      if (isQuiet(request.headers)) return;
      const warning = response.getHeader("X-Emulator-Warning")?.toString();
      record({ atMs: state.clock.now(), method, path, status, requestId, operation, warning });
    });
    if (!servesHost(request)) {
      sendError(
        new HttpError(
          421,
          "The service does not accept requests for this host. To use another host, start the service with --public-url.",
        ),
        response,
      );
      return;
    }
    if (IS_OPEN.test(url) && allowOtherOrigins(request, response)) return;
    if (!IS_API.test(url)) {
      if (serveUploads(state, context.faults, request, response)) return;
      others ??= import("./other-paths.ts").then(({ createOtherPaths }) =>
        createOtherPaths(state, control),
      );
      others
        .then((answer) => answer(request, response))
        .catch((error: unknown) => sendError(error, response));
      return;
    }
    const answer = async () => {
      const isOperation = await answerOperation(context, request, response, (id) => {
        operation = id;
      });
      if (isOperation) return;
      const reason = reasonNotBuilt(url.slice(API_PATH.length).replace(/\?.*/s, "") || "/");
      throw reason === undefined ? new HttpError(404) : new HttpError(501, reason);
    };
    answer().catch((error: unknown) => sendError(error, response));
  };
}

function formatReason(response: ServerResponse): string {
  const error = getCause(response);
  if (!(error instanceof Error)) return response.statusMessage;
  const { cause } = error;
  return cause instanceof Error && !error.message.includes(cause.message)
    ? `${error.message} ${cause.message}`
    : error.message;
}

const IS_API = new RegExp(`^${API_PATH}(?:[/?]|$)`);

/** What web pages may use: the API, and the files of exports, which it links to. */
const IS_OPEN = new RegExp(`^(?:${API_PATH}|/exports)(?:[/?]|$)`);

const REASONS: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^\/folders(?:\/|$)/, "Set the folder of each document in the seed."],
  [
    /^\/(?:workspaces|organizations)(?:\/|$)/,
    "Set up the workspace, its members and their roles in the seed.",
  ],
  [/^\/docs\/[^/]+\/domains(?:\/|$)/, "Documents cannot have their own domains."],
  [/^\/packs(?:\/|$)/, "It has only the registry operations that publishing needs."],
  [/^\/domains(?:\/|$)/, "Documents cannot have their own domains."],
  [/^\/go(?:Links)?(?:\/|$)/i, "There are no go links."],
];

/**
 * Why a part of the public service is missing here. A refusal is better than a plausible but wrong
 * response.
 */
export function reasonNotBuilt(path: string): string | undefined {
  const found = REASONS.find(([pattern]) => pattern.test(path));
  return found === undefined ? undefined : `The local service does not implement this. ${found[1]}`;
}

/**
 * Lets the web pages of every origin read responses. What protects the service is the token, which
 * a page has to know; there are no cookies.
 * @returns whether the request was only the question of a browser, which is answered then
 */
function allowOtherOrigins(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (headers.origin === undefined) return false;
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
  if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return false;
  response.writeHead(204, {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": headers["access-control-request-headers"] ?? "",
    "Access-Control-Max-Age": "7200",
  });
  response.end();
  return true;
}
