import type { Transport } from "./transport.ts";

/** The part of `context.fetcher` that the client uses. */
export interface PackFetcher {
  fetch(request: {
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    url: string;
    body?: string;
    headers?: Record<string, string>;
    cacheTtlSecs?: number;
    disableAuthentication?: boolean;
    isBinaryResponse?: boolean;
  }): Promise<{ status: number; body?: unknown }>;
}

/**
 * Sends requests with the fetcher of a Pack. The fetcher adds the credentials of the account, and
 * retries requests after status 429. The fetcher may return a cached response to a GET request for
 * some minutes. The client does not delay or retry requests, because a Pack cannot wait.
 */
export function packTransport(fetcher: PackFetcher): Transport {
  return {
    async send({ method, url, headers, body, cacheTtlSecs }) {
      const all = {
        ...headers,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      };
      try {
        const response = await fetcher.fetch({
          method,
          url,
          ...(body === undefined ? {} : { body }),
          ...(Object.keys(all).length === 0 ? {} : { headers: all }),
          ...(cacheTtlSecs === undefined ? {} : { cacheTtlSecs }),
        });
        return { status: response.status, body: parseJsonOrText(response.body) };
      } catch (error) {
        const status = findStatus(error);
        // A platform renews the token when it sees its own 401 error come out of the formula.
        if (status === undefined || status === 401) throw error;
        return { status, body: parseJsonOrText((error as { body?: unknown }).body) };
      }
    },
    async download(url) {
      // The link carries its own permission, and storage servers refuse a second one.
      const { status, body } = await fetcher.fetch({
        method: "GET",
        url,
        cacheTtlSecs: 0,
        disableAuthentication: true,
        isBinaryResponse: true,
      });
      return { status, body: body as Uint8Array };
    },
  };
}

function findStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || error.name !== "StatusCodeError" || !("statusCode" in error))
    return undefined;
  return typeof error.statusCode === "number" ? error.statusCode : undefined;
}

// A fetcher parses JSON by its content type; some answers carry none.
function parseJsonOrText(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
