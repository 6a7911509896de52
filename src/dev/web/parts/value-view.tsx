import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { SchemaView } from "../../wire/run.ts";
import { Button } from "./button.tsx";
import { formatValue, isDate, safeLink } from "./format.ts";
import { JsonTree } from "./json-tree.tsx";
import { ExternalLink, Markdown } from "./markdown.tsx";

interface ValueViewProps {
  value: unknown;
  schema: SchemaView | undefined;
  /** The run that returned the value. Its images are loaded through it. */
  run?: string | undefined;
}

/** A value as its schema and value hint describe it: text, amount, link, image, card, list. */
export function ValueView({ value, schema, run }: ValueViewProps) {
  return <div class="value">{render(value, schema, run)}</div>;
}

const IMAGES = new Set(["image", "imageAttachment"]);
const LINKS = new Set(["url", "embed", "attachment"]);
const MAX_LIST = 200;

function render(
  value: unknown,
  schema: SchemaView | undefined,
  run: string | undefined,
): ComponentChildren {
  if (value === null || value === undefined || value === "")
    return <span class="quiet">{value === "" ? "empty text" : "empty"}</span>;
  if (Array.isArray(value)) return renderList(value, schema?.items, run);
  if (typeof value === "object") {
    return schema?.properties === undefined ? (
      <JsonTree value={value} />
    ) : (
      <Card value={value as Members} schema={schema} run={run} />
    );
  }
  if (typeof value === "string") return renderText(value, schema, run);
  if (typeof value === "number") return renderNumber(value, schema);
  return <span class="big">{formatValue(value, schema)}</span>;
}

function renderText(
  text: string,
  schema: SchemaView | undefined,
  run: string | undefined,
): ComponentChildren {
  const hint = schema?.hint ?? "";
  if (IMAGES.has(hint))
    return <ResultImage url={text} run={run} alt={schema?.label ?? "Image in the result"} />;
  const href = safeLink(LINKS.has(hint) ? text : hint === "email" ? `mailto:${text}` : undefined);
  if (href !== undefined) return <ExternalLink href={href}>{text}</ExternalLink>;
  if (hint === "markdown") return <Markdown text={text} />;
  if (hint === "html") return <HtmlText html={text} />;
  if (isDate(schema?.hint)) return <span class="big">{formatValue(text, schema)}</span>;
  return text.length > 200 || text.includes("\n") ? (
    <pre class="block" dir="auto">
      {text}
    </pre>
  ) : (
    <span class="big" dir="auto">
      {text}
    </span>
  );
}

/** HTML of a Pack never becomes part of the page. Its text and its source are shown. */
function HtmlText({ html }: { html: string }) {
  const text = new DOMParser().parseFromString(html, "text/html").body.textContent ?? "";
  return (
    <div class="stack tight">
      <p class="wrap" dir="auto">
        {text}
      </p>
      <details>
        <summary class="small quiet">HTML</summary>
        <pre class="block">{html}</pre>
      </details>
    </div>
  );
}

function renderNumber(value: number, schema: SchemaView | undefined): ComponentChildren {
  const text = formatValue(value, schema);
  const maximum = schema?.options["maximum"];
  switch (schema?.hint) {
    case "scale": {
      const of = typeof maximum === "number" ? maximum : 5;
      return (
        <span class="big" role="img" aria-label={`${value} of ${of}`}>
          {"★".repeat(Math.max(0, Math.min(20, value)))}
          <span class="quiet">{"☆".repeat(Math.max(0, Math.min(20, of - value)))}</span>
        </span>
      );
    }
    case "slider":
    case "progressBar":
      return (
        <span class="row">
          <Bar
            value={value}
            low={Number(schema.options["minimum"] ?? 0)}
            high={typeof maximum === "number" ? maximum : schema.hint === "slider" ? 100 : 1}
          />
          {text}
        </span>
      );
    default:
      return <span class="big">{text}</span>;
  }
}

function Bar({ value, low, high }: { value: number; low: number; high: number }) {
  const share = high > low ? Math.max(0, Math.min(1, (value - low) / (high - low))) : 0;
  return (
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style={{ width: `${share * 100}%` }} />
    </span>
  );
}

function renderList(
  items: readonly unknown[],
  schema: SchemaView | undefined,
  run: string | undefined,
): ComponentChildren {
  if (items.length === 0) return <span class="quiet">empty list</span>;
  return (
    <ol class="stack tight">
      {items.slice(0, MAX_LIST).map((item, index) => (
        <li key={index}>{render(item, schema, run)}</li>
      ))}
    </ol>
  );
}

type Members = Record<string, unknown>;

/**
 * An object as a card, as in a document: title, subtitle, text and image. All members follow below.
 */
function Card({
  value,
  schema,
  run,
}: {
  value: Members;
  schema: SchemaView;
  run: string | undefined;
}) {
  const { card, properties = {} } = schema;
  const readPath = (path: string | undefined): unknown =>
    path === undefined ? undefined : path.split(".").reduce(readMember, value as unknown);
  const title = formatValue(readPath(card.title), schemaAt(schema, card.title));
  const href = safeLink(readPath(card.link));
  const image = readPath(card.image);
  const snippet = readPath(card.snippet);
  const subtitle = card.subtitle
    .map((path) => formatValue(readPath(path), schemaAt(schema, path)))
    .filter((text) => text !== "");
  const rest = Object.entries(value);
  return (
    <div class="stack">
      {title !== "" && (
        <div class="value-card">
          {typeof image === "string" && (
            <div class="picture">
              <ResultImage url={image} run={run} alt="" />
            </div>
          )}
          <div class="stack tight">
            <p class="title wrap" dir="auto">
              {href === undefined ? title : <ExternalLink href={href}>{title}</ExternalLink>}
            </p>
            {subtitle.length > 0 && (
              <p class="subtitle wrap" dir="auto">
                {subtitle.join(" · ")}
              </p>
            )}
            {typeof snippet === "string" && (
              <p class="wrap" dir="auto">
                {snippet}
              </p>
            )}
          </div>
        </div>
      )}
      <dl class="facts">
        {rest.map(([key, member]) => [
          <dt key={`${key} name`}>{properties[key]?.label ?? key}</dt>,
          <dd key={key} dir="auto">
            {renderFact(member, properties[key], run)}
          </dd>,
        ])}
      </dl>
    </div>
  );
}

/** A member in the list below a card. */
function renderFact(
  value: unknown,
  schema: SchemaView | undefined,
  run: string | undefined,
): ComponentChildren {
  const isPlain =
    typeof value === "string" &&
    value !== "" &&
    (schema?.hint === undefined || isDate(schema.hint));
  if (
    isPlain ||
    (typeof value === "number" && !["scale", "slider", "progressBar"].includes(schema?.hint ?? ""))
  )
    return formatValue(value, schema);
  if (typeof value === "boolean") return formatValue(value, schema);
  return render(value, schema, run);
}

function schemaAt(schema: SchemaView, path: string | undefined): SchemaView | undefined {
  return path
    ?.split(".")
    .reduce<SchemaView | undefined>((at, key) => at?.properties?.[key], schema);
}

function readMember(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Members)[key] : undefined;
}

/**
 * An image of a result. The page loads nothing from other sites: the server fetches it, and only if
 * the run returned its URL. From
 * a host that the Pack has not declared, it does so when the user asks.
 */
export function ResultImage({
  url,
  run,
  alt,
}: {
  url: string;
  run: string | undefined;
  alt: string;
}) {
  const [hasFailed, setHasFailed] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const href = safeLink(url);
  const source = url.startsWith("data:image/")
    ? url
    : run === undefined
      ? undefined
      : `/api/runs/${encodeURIComponent(run)}/image?url=${encodeURIComponent(url)}${isAsked ? "&asked=true" : ""}`;
  if (source === undefined || hasFailed) {
    if (href === undefined) return <span class="wrap">{url.slice(0, 200)}</span>;
    const ask = (): void => {
      setIsAsked(true);
      setHasFailed(false);
    };
    return (
      <span class="row">
        <ExternalLink href={href}>{url}</ExternalLink>
        {source !== undefined && !isAsked && (
          <Button isSmall onClick={ask}>
            Show image
          </Button>
        )}
      </span>
    );
  }
  return <img src={source} alt={alt} loading="lazy" onError={() => setHasFailed(true)} />;
}
