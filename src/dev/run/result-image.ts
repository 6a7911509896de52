import { hostMatchesDomain, isLoopbackHost } from "../../define/hosts.ts";
import { isPackError, PackError } from "../../errors.ts";
import type { BlobStore } from "../../execute/blob-store.ts";
import { applyRoutes, parseRoutes } from "../../oauth/routes.ts";
import { sendOut } from "../../oauth/send-out.ts";
import type { IncomingResponse } from "../../oauth/send-request.ts";
import { checkUrl, type Lookup, publicOnlyFor, systemLookup } from "../../oauth/url-policy.ts";
import { limitedSignal } from "../../shared/time.ts";
import { BytesAnswer } from "../router.ts";

export interface ResultImageOptions {
  /** A URL that the result of a run contains. */
  url: string;
  blobs: BlobStore;
  /** The Pack's network domains. */
  domains: readonly string[];
  /**
   * Whether the user has asked for this image: it may then come from any public host. A URL can
   * carry data to its host.
   */
  isAsked: boolean;
  /** `origin=url` texts. */
  routes: readonly string[];
  signal: AbortSignal;
  /** @default the system's resolver */
  lookup?: Lookup | undefined;
}

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;
/** Types that an <img> shows. The server passes on no other type under the page's own origin. */
const TYPES = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon)\b/i;

/**
 * Fetches an image of a result, without credentials, so that the page itself loads nothing from
 * other sites.
 * @throws {PackError} URL_NOT_ALLOWED, FETCH_FAILED
 */
export async function fetchResultImage({
  url,
  blobs,
  domains,
  isAsked,
  routes,
  signal,
  lookup = systemLookup,
}: ResultImageOptions): Promise<BytesAnswer> {
  const timeout = limitedSignal(TIMEOUT_MS, signal);
  const known = parseRoutes(routes);
  let at = url;
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const isBlob = blobs.has(at);
      const checked = isBlob ? new URL(at) : checkUrl(at);
      const target = applyRoutes(checked.href, known);
      // A Pack must not reach this machine through image URLs, except for its own blobs and routes
      // of the author.
      if (!isBlob && target === checked.href && isLoopbackHost(checked.host))
        throw createRefusal("the URL refers to this machine");
      const isDeclared =
        isBlob ||
        target !== checked.href ||
        domains.some((domain) => hostMatchesDomain(checked.host, domain));
      if (!isDeclared && !isAsked)
        throw createRefusal(`${checked.host} is not a network domain of the Pack`);
      const publicOnly = isBlob ? undefined : publicOnlyFor(checked, known, lookup);
      const response = await sendOut(target, {
        method: "GET",
        headers: { accept: "image/*" },
        body: null,
        signal: timeout,
        publicOnly,
      });
      const { location } = Object.fromEntries(response.headers);
      if (response.status >= 300 && response.status < 400 && location !== undefined) {
        await discard(response);
        at = new URL(location, checked).href;
        continue;
      }
      return await checkImage(response);
    }
  } catch (cause) {
    if (isPackError(cause)) throw cause;
    throw createRefusal("the server sent no valid response", cause);
  }
  throw createRefusal("the server redirects too often");
}

/** Closes the connection. Leaving the loop closes the body. */
async function discard({ body }: IncomingResponse): Promise<void> {
  for await (const _ of body ?? []) return;
}

async function checkImage(response: IncomingResponse): Promise<BytesAnswer> {
  const type = Object.fromEntries(response.headers)["content-type"] ?? "";
  const isOk = response.status >= 200 && response.status < 300;
  if (!isOk || !TYPES.test(type)) {
    await discard(response);
    throw createRefusal(
      isOk ? "the response is not an image" : `the server returned status ${response.status}`,
    );
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) throw createRefusal("the image is larger than 10 MB");
    parts.push(part);
  }
  return new BytesAnswer(type, Buffer.concat(parts));
}

function createRefusal(reason: string, cause?: unknown): PackError<"FETCH_FAILED"> {
  return new PackError("FETCH_FAILED", `Could not load the image: ${reason}.`, {
    details: { host: "" },
    hint: "Open the image link instead.",
    cause,
  });
}
