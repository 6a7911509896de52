import {
  createServiceClient,
  fetchTransport,
  type RateLimits,
  type ServiceRequest,
  type ServiceResponse,
  type Timer,
  type Transport,
} from "../../../src/service.ts";

type Step = ServiceResponse | Error | ((request: ServiceRequest) => ServiceResponse);

export interface Scripted extends Transport {
  sent: ServiceRequest[];
}

/** A transport that gives prepared responses and keeps what was sent. */
export function scripted(...steps: Step[]): Scripted {
  const sent: ServiceRequest[] = [];
  return {
    sent,
    async send(request) {
      sent.push(request);
      const step = steps.shift() ?? new Error("socket hang up");
      if (step instanceof Error) throw step;
      return typeof step === "function" ? step(request) : step;
    },
  };
}

export const ok = (body: unknown): ServiceResponse => ({ status: 200, body });
export const refusal = (status: number, message = "Why."): ServiceResponse => ({
  status,
  body: { statusCode: status, statusMessage: "S", message },
});
export const createClient = (transport: Transport) =>
  createServiceClient({ baseUrl: "https://docs.example/apis/v1/", transport });

/** Time that passes only while somebody sleeps. */
export function createTimer(): Timer & { nowMs: number; slept: number[] } {
  const timer = {
    nowMs: 1_000_000,
    slept: [] as number[],
    now: () => timer.nowMs,
    async sleep(ms: number) {
      timer.slept.push(ms);
      timer.nowMs += ms;
    },
  };
  return timer;
}

type Answer = Response | Error | (() => Response | Promise<Response>);

/** A client over `fetch`, whose answers are prepared; the last one stays. */
export function overFetch(
  answers: Answer[],
  options: {
    token?: string;
    limits?: Partial<RateLimits> | false;
    timer?: ReturnType<typeof createTimer>;
    attempts?: number;
    maxResponseBytes?: number;
  } = {},
) {
  const timer = options.timer ?? createTimer();
  const sentAtMs: number[] = [];
  const requests: { url: string; headers: Record<string, string>; body?: string }[] = [];
  const transport = fetchTransport({
    token: "t",
    ...options,
    timer,
    random: () => 1,
    async fetch(url, { headers, body }) {
      sentAtMs.push(timer.nowMs);
      requests.push({ url, headers, ...(body === undefined ? {} : { body }) });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error || answer === undefined) throw answer ?? new Error("none");
      return typeof answer === "function" ? await answer() : answer.clone();
    },
  });
  return { client: createClient(transport), transport, timer, sentAtMs, requests };
}

export const respond = (status: number, headers: Record<string, string> = {}, body: unknown = {}) =>
  new Response(JSON.stringify(body), { status, headers });
