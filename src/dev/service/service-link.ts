import { setTimeout as wait } from "node:timers/promises";
import { isLoopbackHost } from "../../define/hosts.ts";
import { PackError } from "../../errors.ts";
import { createServiceClient, type ServiceClient } from "../../service/client/client.ts";
import { ServiceError } from "../../service/client/errors.ts";
import type { Transport } from "../../service/client/transport.ts";
import {
  type ControlAnswers,
  parseControlAnswer,
} from "../../service/local/control/control-answers.ts";
import { findControlUrl } from "../../service/local/control/control-file.ts";
import { limitedSignal } from "../../shared/time.ts";
import { parseUrl } from "../../shared/urls.ts";

/** The connection of the page to a local document service. */
export interface ServiceLink {
  readonly origin: string;
  readonly token: string;
  /** Reads unnoticed: no faults, no limits, no entry in the journal. */
  readonly reader: ServiceClient;
  /** Sends edits like any program. They become mutations, and faults and limits apply. */
  readonly writer: ServiceClient;
  /** Reads from the control plane. @throws {PackError} SERVICE_FAILED */
  control<Path extends keyof ControlAnswers>(path: Path): Promise<ControlAnswers[Path]>;
  /** Changes something there. @returns its answer @throws {PackError} SERVICE_FAILED */
  changeControl(path: string, body: object): Promise<unknown>;
}

export interface ServiceAddress {
  origin: string;
  url: string;
  controlUrl: string;
  token: string;
}

const TIMEOUT_MS = 10_000;
const LOOKING = { "X-Emulator-Quiet": "1" };

export function openServiceLink({ origin, url, controlUrl, token }: ServiceAddress): ServiceLink {
  const ask = async (path: string, init: RequestInit): Promise<unknown> => {
    const answer = await send(`${controlUrl}/${path}`, {
      ...init,
      headers: { "content-type": "application/json", ...LOOKING },
    }).catch((error: unknown) => {
      throw serviceFailed(
        path,
        0,
        error instanceof Error && error.name === "TimeoutError"
          ? "the request timed out"
          : "the service is not reachable",
      );
    });
    if (answer.status !== 200) throw serviceFailed(path, answer.status, formatMessage(answer.body));
    return answer.body;
  };
  return {
    origin,
    token,
    reader: createServiceClient({ baseUrl: url, transport: plainTransport(token, LOOKING) }),
    writer: createServiceClient({ baseUrl: url, transport: plainTransport(token, {}) }),
    async control(path) {
      const answer = parseControlAnswer(path, await ask(path, { method: "GET" }));
      if (answer !== undefined) return answer;
      throw serviceFailed(path, 200, "the service belongs to another version of packsmith");
    },
    changeControl: (path, body) => ask(path, { method: "POST", body: JSON.stringify(body) }),
  };
}

/**
 * The address of a service, from a link that `packsmith service` printed or from any other link to
 * it.
 * @param home the folder with the control URLs of the services that run
 * @throws {PackError} USAGE_INVALID when it is not on this machine
 */
export function serviceAddress(
  link: string,
  token: string,
  home: string | undefined,
): ServiceAddress {
  const url = parseUrl(link.trim());
  if (
    url === undefined ||
    url.protocol !== "http:" ||
    !isLoopbackHost(url.host) ||
    url.username !== "" ||
    url.password !== ""
  ) {
    throw new PackError("USAGE_INVALID", "This is not the address of a service on this machine.", {
      details: undefined,
      hint: "Enter the URL that packsmith service printed, such as http://127.0.0.1:4711/apis/v1.",
    });
  }
  const { origin, pathname } = url;
  const given = /^\/__emulator\/[^/]+/.exec(pathname)?.[0];
  const kept = home === undefined ? undefined : findControlUrl(home, origin);
  const controlUrl = given === undefined ? (kept ?? `${origin}/__emulator`) : origin + given;
  return { origin, url: `${origin}/apis/v1`, controlUrl, token: token.trim() };
}

/** Turns an error of the service client into the failure that the page shows. */
export async function orServiceFailure<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { operation, status, message } = error;
    throw serviceFailed(operation, status, message);
  }
}

/**
 * Sends each request once: no retries and no throttling, because the user is waiting and sees the
 * answer.
 */
function plainTransport(token: string, more: Readonly<Record<string, string>>): Transport {
  return {
    async send({ method, url, headers, body, signal }) {
      return await send(url, {
        method,
        headers: {
          ...headers,
          ...more,
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
        },
        ...(body === undefined ? {} : { body }),
        ...(signal instanceof AbortSignal ? { signal } : {}),
      });
    },
    timer: { now: Date.now, sleep: (ms) => wait(ms) },
  };
}

async function send(url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  const signal = limitedSignal(TIMEOUT_MS, init.signal ?? undefined);
  const response = await fetch(url, { ...init, redirect: "error", signal });
  const text = await response.text();
  return { status: response.status, body: parseJsonOrText(text) };
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function formatMessage(body: unknown): string {
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : "the service gave no reason";
}

function serviceFailed(
  operation: string,
  status: number,
  reason: string,
): PackError<"SERVICE_FAILED"> {
  const answered = status === 0 ? "did not answer" : `answered ${operation} with status ${status}`;
  return new PackError(
    "SERVICE_FAILED",
    `The local service ${answered}: ${reason.replace(/\.$/, "").slice(0, 500)}.`,
    {
      details: { operation, status },
      hint:
        status === 0
          ? "Start the service, or connect to a running service."
          : "Check for injected faults and limits, or fix the problem in the message.",
    },
  );
}
