import { useState } from "preact/hooks";
import { safeLink } from "./format-value.ts";
import { ExternalLink } from "./markdown.tsx";

/**
 * A picture of a result. The page loads nothing from elsewhere: the server fetches what the run has named, and only that.
 */
export function Picture({ url, run, alt }: { url: string; run: string | undefined; alt: string }) {
  const [hasFailed, setHasFailed] = useState(false);
  const href = safeLink(url);
  const source = url.startsWith("data:image/")
    ? url
    : run === undefined
      ? undefined
      : `/api/runs/${encodeURIComponent(run)}/picture?url=${encodeURIComponent(url)}`;
  if (source === undefined || hasFailed)
    return href === undefined ? <span class="wrap">{url.slice(0, 200)}</span> : <ExternalLink href={href}>{url}</ExternalLink>;
  return <img src={source} alt={alt} loading="lazy" onError={() => setHasFailed(true)} />;
}
