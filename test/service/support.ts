import { type LocalService, type ServiceOptions, startService } from "../../src/service/local/service.ts";
import { createServiceClient, type ServiceClient } from "../../src/service.ts";

export interface ServiceUnderTest extends AsyncDisposable {
  service: LocalService;
  client: ServiceClient;
  /** Sends a request as it is; `path` begins below the API root. */
  send(path: string, init?: RequestInit & { token?: string }): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** A service whose edits apply at once, unless the options say otherwise, and a client of it. */
export async function startTestService(options: ServiceOptions = {}): Promise<ServiceUnderTest> {
  const service = await startService({ mutationDelayMs: 0, ...options });
  return {
    service,
    client: createServiceClient({ baseUrl: service.url, token: service.token }),
    async send(path, { token = service.token, ...init } = {}) {
      const headers = { ...(token === "" ? {} : { Authorization: `Bearer ${token}` }), ...(init.headers as Record<string, string>) };
      const response = await fetch(service.url + path, { ...init, headers });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    [Symbol.asyncDispose]: () => service.close(),
  };
}
