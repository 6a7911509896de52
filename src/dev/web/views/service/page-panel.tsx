import type { RunningServiceView, ServicePageView } from "../../../wire/service.ts";
import { Empty } from "../../parts/empty.tsx";
import { FailureNotice } from "../../parts/failure-notice.tsx";
import { useDocuments } from "./use-documents.ts";

interface PagePanelProps {
  docId: string;
  pageId: string;
  running: RunningServiceView;
}

/** The text of a page, line by line, as the service keeps it. */
export function PagePanel({ docId, pageId, running }: PagePanelProps) {
  const path = `/api/service/docs/${encodeURIComponent(docId)}/pages/${encodeURIComponent(pageId)}`;
  const { value: page, failure } = useDocuments<ServicePageView>(path, running.stamp);
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (page === undefined) return <p class="quiet">Reading the page…</p>;
  return (
    <article class="stack tight service-page">
      <h3>{page.name}</h3>
      {page.subtitle !== undefined && <p class="quiet">{page.subtitle}</p>}
      {page.lines.length === 0 ? (
        <Empty title="This page has no text">Tables that lie on it are in the list of the document.</Empty>
      ) : (
        page.lines.map(({ id, style, level, text }) => (
          <p key={id} class={`line ${style}`} data-level={level > 0 ? level : undefined}>
            {text}
          </p>
        ))
      )}
    </article>
  );
}
