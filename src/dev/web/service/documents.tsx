import type { DocView, RunningServiceView, ServicePageView } from "../../wire/service.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { Empty } from "../parts/layout.tsx";
import { Name } from "../parts/name.tsx";
import { Split } from "../parts/split.tsx";
import { linkTo } from "../route.ts";
import { TablePanel } from "./table-panel.tsx";
import { useDocuments } from "./use-service.ts";

interface DocumentsProps {
  running: RunningServiceView;
  /** When `running` was asked. */
  askedAtMs: number;
  /** IDs of a document and of one of its tables or pages. */
  parts: readonly string[];
}

/** The documents of the service with their tables and pages, one of them open. */
export function Documents({ running, askedAtMs, parts: [docId, partId] }: DocumentsProps) {
  const { value: docs, failure } = useDocuments<DocView[]>(
    "/api/service/docs",
    running.fingerprint,
  );
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (docs === undefined) return <p class="quiet">Loading documents…</p>;
  const doc = docs.find(({ id }) => id === docId) ?? docs[0];
  if (doc === undefined)
    return (
      <Empty title="No documents yet">
        Create a document from a Pack or a test, or choose “Reset documents”.
      </Empty>
    );
  const open = doc.id === docId && partId !== undefined ? partId : doc.tables[0]?.id;
  const isTable = doc.tables.some(({ id }) => id === open);
  const isPage = doc.pages.some(({ id }) => id === open);
  const markCurrent = (id: string) => (id === open ? "page" : undefined);
  return (
    <Split
      name="documents"
      label="Width of the document list"
      limits={LIST_WIDTHS}
      first={
        <nav aria-label="Documents">
          {docs.map((each) => (
            <div key={each.id}>
              <h4>{each.name}</h4>
              <p class="quiet small">
                <span class="mono">{each.id}</span> · {each.ownerName}
              </p>
              <ul class="plain">
                {each.tables.map(({ id, name, tableType }) => (
                  <li key={id}>
                    <a
                      href={linkTo("service", each.id, id)}
                      aria-current={each === doc ? markCurrent(id) : undefined}
                    >
                      <span class="mark" aria-hidden="true">
                        {tableType === "view" ? "◫" : "▦"}
                      </span>
                      <span>
                        <Name text={name} />
                      </span>
                      <span class="visually-hidden">, {tableType}</span>
                    </a>
                  </li>
                ))}
                {each.pages.map(({ id, name, isHidden, level }) => (
                  <li key={id} data-level={level > 0 ? Math.min(level, 4) : undefined}>
                    <a
                      href={linkTo("service", each.id, id)}
                      aria-current={each === doc ? markCurrent(id) : undefined}
                    >
                      <span class="mark" aria-hidden="true">
                        ¶
                      </span>
                      {name}
                      <span class="visually-hidden">, page</span>
                      {isHidden && <span class="quiet small">hidden</span>}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      }
      second={
        <>
          {open !== undefined && isTable && (
            <TablePanel
              key={open}
              docId={doc.id}
              tableId={open}
              running={running}
              askedAtMs={askedAtMs}
            />
          )}
          {open !== undefined && isPage && (
            <PagePanel key={open} docId={doc.id} pageId={open} running={running} />
          )}
          {!isTable && !isPage && (
            <Empty title="This table or page no longer exists">
              Choose another table or page from the list.
            </Empty>
          )}
        </>
      }
    />
  );
}

const LIST_WIDTHS = { initial: 200, least: 140, most: 480 };

interface PagePanelProps {
  docId: string;
  pageId: string;
  running: RunningServiceView;
}

/** The text of a page, line by line. */
export function PagePanel({ docId, pageId, running }: PagePanelProps) {
  const path = `/api/service/docs/${encodeURIComponent(docId)}/pages/${encodeURIComponent(pageId)}`;
  const { value: page, failure } = useDocuments<ServicePageView>(path, running.fingerprint);
  if (failure !== undefined) return <FailureNotice failure={failure} />;
  if (page === undefined) return <p class="quiet">Loading the page…</p>;
  return (
    <article class="stack tight service-page">
      <h3>{page.name}</h3>
      {page.subtitle !== undefined && <p class="quiet">{page.subtitle}</p>}
      {page.lines.length === 0 ? (
        <Empty title="This page does not contain any text">
          Choose a table on this page from the list.
        </Empty>
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
