import type { TimelineDetail } from "../../wire/timeline.ts";
import { Part } from "../accounts/sequence.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useLive } from "../use-live.ts";
import { SaveForm } from "./save-form.tsx";

/** What was sent and what came back, as a command, and as something to keep. */
export function RequestDetail({ id }: { id: number }) {
  const { data, failure } = useLive<TimelineDetail>(`/api/timeline/${id}`, () => false);
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (data === undefined) return <p class="quiet">…</p>;
  const { requestHeaders, requestBody, responseHeaders, responseBody, authentication, error, curl } = data;
  const credentials = authentication === undefined ? [] : ([["credentials", authentication]] as const);
  return (
    <div class="request-detail stack">
      <div class="columns">
        <div class="stack tight">
          <Part part={{ title: "Request", rows: [["url", data.url], ...Object.entries(requestHeaders), ...credentials] }} />
          {requestBody !== undefined && <Part part={{ title: "Request body", rows: [], text: pretty(requestBody) }} />}
        </div>
        <div class="stack tight">
          <Part
            part={{
              title: "Response",
              rows: [["status", String(data.status ?? error ?? "none")], ...Object.entries(responseHeaders ?? {})],
            }}
          />
          {responseBody !== undefined && <Part part={{ title: "Response body", rows: [], text: pretty(responseBody) }} />}
        </div>
      </div>
      <div class="row">
        <CopyButton text={() => curl.text}>Copy as curl</CopyButton>
        {data.suggested !== undefined && <SaveForm detail={data} suggested={data.suggested} />}
      </div>
      <details>
        <summary>The command</summary>
        <pre class="block" tabIndex={0} role="region" aria-label="The command">
          {curl.text}
        </pre>
        {curl.variables.length > 0 && (
          <p class="quiet small">
            No secret is in it. Set <span class="mono">{curl.variables.join(", ")}</span> in the shell first.
          </p>
        )}
      </details>
    </div>
  );
}

/** JSON with its structure; any other text as it is. */
function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
