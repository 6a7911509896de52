/** A block of what a tool returned, as the page shows it. */
export type ContentBlock =
  | { kind: "text"; text: string }
  | { kind: "data"; value: unknown }
  | { kind: "image"; url: string }
  | { kind: "link"; uri: string; title: string; description: string };

export interface ToolContent {
  blocks: ContentBlock[];
  /** Unless a block already shows it. */
  structured: unknown;
  isError: boolean;
}

/** Types that an <img> shows without a script of its own. */
const IMAGES = /^image\/(?:png|jpeg|gif|webp|avif)$/;
const BASE64 = /^[A-Za-z0-9+/]+=*$/;

/** Reads the result of a tool. The server may send anything: what is not known is shown as data. */
export function shownBlocks(result: unknown): ToolContent {
  const { content, structuredContent, isError } = readMembers(result);
  const given = Array.isArray(content) ? content : [];
  // Servers repeat structured content as text, for clients that do not know it.
  const repeated = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  const blocks = given
    .map(readBlock)
    .filter((block) => block.kind !== "data" || JSON.stringify(block.value) !== repeated);
  return { blocks, structured: structuredContent, isError: isError === true };
}

function readBlock(given: unknown): ContentBlock {
  const block = readMembers(given);
  const { type, text, data, mimeType, uri, name, title, description } = block;
  if (type === "text" && typeof text === "string") return textBlock(text);
  if (
    type === "image" &&
    typeof data === "string" &&
    BASE64.test(data) &&
    IMAGES.test(String(mimeType))
  )
    return { kind: "image", url: `data:${String(mimeType)};base64,${data}` };
  if (type === "resource_link" && typeof uri === "string")
    return {
      kind: "link",
      uri,
      title: String(title ?? name ?? uri),
      description: String(description ?? ""),
    };
  const resource = readMembers(block["resource"]);
  if (type === "resource" && typeof resource["text"] === "string")
    return textBlock(resource["text"]);
  return { kind: "data", value: given };
}

/** JSON in a text is easier to read as a tree. */
function textBlock(text: string): ContentBlock {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { kind: "data", value };
  } catch {}
  return { kind: "text", text };
}

function readMembers(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
