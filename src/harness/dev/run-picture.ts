import { isLoopbackHost } from "../../define/hosts.ts";
import { isPackError, PackError } from "../../errors.ts";
import type { BlobStore } from "../../execute/blob-store.ts";
import { applyRoutes, parseRoutes } from "../../oauth/routes.ts";
import { checkAddresses, checkUrl, type Lookup, systemLookup } from "../../oauth/url-policy.ts";
import { BytesAnswer } from "./router.ts";

export interface RunPictureOptions {
  /** A URL that the result of a run contains. */
  url: string;
  blobs: BlobStore;
  /** `origin=url` texts. */
  routes: readonly string[];
  signal: AbortSignal;
  /** @default the system's resolver */
  lookup?: Lookup | undefined;
}

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;
/** What an <img> shows; no other type leaves the server under the page's own origin. */
const TYPES = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon)\b/i;

/**
 * Fetches a picture of a result, without credentials, so that the page itself loads nothing from elsewhere (rules 13, 19, 24).
 * @throws {PackError} URL_NOT_ALLOWED, FETCH_FAILED
 */
export async function runPicture({ url, blobs, routes, signal, lookup = systemLookup }: RunPictureOptions): Promise<BytesAnswer> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const known = parseRoutes(routes);
  let at = url;
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const isBlob = blobs.has(at);
      const checked = isBlob ? new URL(at) : checkUrl(at);
      const target = applyRoutes(checked.href, known);
      // What a Pack names on this machine is not what it may look at, unless it put it there or the author gave a route.
      if (!isBlob && target === checked.href && isLoopbackHost(checked.host)) throw refused("it is on this machine");
      if (!isBlob) await checkAddresses(checked, known, lookup);
      const response = await fetch(target, { signal: timeout, redirect: "manual", credentials: "omit", headers: { accept: "image/*" } });
      const location = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        at = new URL(location, checked).href;
        continue;
      }
      return await pictureOf(response);
    }
  } catch (cause) {
    if (isPackError(cause)) throw cause;
    throw refused("its server did not answer as it should", cause);
  }
  throw refused("it redirects too often");
}

async function pictureOf(response: Response): Promise<BytesAnswer> {
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || !TYPES.test(type)) {
    await response.body?.cancel();
    throw refused(response.ok ? "it is no picture" : `its server answered with ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) throw refused("it is larger than 10 MB");
    parts.push(part);
  }
  return new BytesAnswer(type, Buffer.concat(parts));
}

function refused(reason: string, cause?: unknown): PackError<"FETCH_FAILED"> {
  return new PackError("FETCH_FAILED", `The picture is not shown: ${reason}.`, {
    details: { host: "" },
    hint: "Open its link instead.",
    cause,
  });
}
