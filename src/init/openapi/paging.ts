import { literal } from "./code-document.ts";
import { chooseColumns } from "./columns.ts";
import type { Input } from "./request-inputs.ts";
import type { ObjectShape, Shape, ShapeMember } from "./shapes.ts";

/** How a request is sent page by page. */
export interface Paging {
  kind: "pages";
  row: ObjectShape;
  /** The members that lead to the rows of a response. Empty if the response is the list. */
  rows: Trail;
  next: NextPage;
  /** The parameter for the number of rows, with the number to send. */
  size: { wireName: string; value: number } | undefined;
  /** The inputs that the table fills in. */
  inputs: readonly Input[];
}

/** The names of members, from the outside in. */
export type Trail = readonly string[];

/** Where the next page starts. */
export type NextPage =
  /** The response has a cursor for the next request. */
  | {
      kind: "cursor";
      wireName: string;
      cursor: Trail;
      type: "string" | "number";
      more: Flag | undefined;
    }
  /** The next request names the last row. */
  | { kind: "lastRow"; wireName: string; id: string; more: Flag }
  /** The response has the URL of the next request. */
  | { kind: "url"; url: Trail; more: Flag | undefined }
  /** The response has the URL in its Link header (RFC 8288). */
  | { kind: "link" }
  /** The next request counts rows or pages. */
  | {
      kind: "offset" | "page";
      wireName: string;
      first: 0 | 1;
      more: Flag | undefined;
      total: Trail | undefined;
    };

/** A member that says whether there are more pages. */
export interface Flag {
  trail: Trail;
  /** The value that it has if there are more. */
  value: boolean;
}

/** A request with pages that cannot become a table. */
export interface Unusable {
  kind: "unusable";
  reason: string;
}

interface Found {
  trail: Trail;
  /** The last name in lowercase, without punctuation. */
  name: string;
  shape: Shape;
}

// Names in lowercase, without punctuation. The first that a description has wins.
const CURSOR_INPUTS =
  `cursor pagetoken nextpagetoken nexttoken nextcursor continuationtoken continuation pagecursor pageafter after
  startcursor aftercursor pagingtoken marker scrollid exclusivestartkey next page`.split(/\s+/);
const CURSORS =
  `nextcursor nextpagetoken nexttoken nextpagecursor nextcontinuationtoken continuationtoken continuation nextmarker nextpage
  nextpageid next endcursor aftercursor after cursor pagetoken scrollid lastevaluatedkey`.split(
    /\s+/,
  );
const LAST_ROW_INPUTS = ["startingafter", "afterid", "sinceid"];
const OFFSET_INPUTS = [
  "offset",
  "pageoffset",
  "skip",
  "startat",
  "startindex",
  "start",
  "startfrom",
];
const PAGE_INPUTS = ["page", "pagenumber", "pageno", "pagenum", "pageindex"];
const SIZE_INPUTS =
  `limit pagesize perpage pagelimit maxresults maxitems maxpagesize count size top take first resultsperpage
  itemsperpage`.split(/\s+/);
const MORE = ["hasmore", "hasnextpage", "hasnext", "morerecords", "hasmoreitems", "more"];
const NO_MORE = ["islast", "islastpage", "lastpage", "last", "done"];
const NEXT_URLS = [
  "nexturl",
  "nextlink",
  "nextpageurl",
  "nextpagelink",
  "nexthref",
  "odatanextlink",
  "nextrecordsurl",
];
const TOTALS = [
  "total",
  "totalcount",
  "totalresults",
  "totalitems",
  "totalrecords",
  "totalelements",
  "totalsize",
];
const PAGE_TOTALS = [
  "totalpages",
  "pagecount",
  "pagestotal",
  "numpages",
  "nbpages",
  "lastpage",
  "pages",
];
const ROWS = [
  "items",
  "data",
  "results",
  "records",
  "entries",
  "values",
  "value",
  "rows",
  "resources",
  "elements",
  "content",
  "objects",
  "nodes",
];
const MAX_DEPTH = 3;
/** Longer expressions do not fit on a line with what they are compared to. */
const MAX_ACCESS = 45;
/** Rows that a table asks for at once, if the API allows more. */
const PAGE_SIZE = 100;

interface Pageable {
  inputs: readonly Input[];
  /** The shape of the response. */
  shape: Shape;
  path: string;
  /** The response has a Link header. */
  hasLink: boolean;
}

/** Recognizes paging by the names and types of parameters and members. */
export function findPaging({
  inputs,
  shape,
  path,
  hasLink,
}: Pageable): Paging | Unusable | undefined {
  const found = membersIn(shape);
  const query = inputs.filter(({ place }) => place === "query");
  const lists = found.filter(
    ({ shape: member }) =>
      member.kind === "list" && member.items.kind === "object" && !member.items.isOpen,
  );
  const wanted = simplifyName(
    path
      .split("/")
      .filter((part) => !part.includes("{"))
      .at(-1) ?? "",
  );
  const list = lists.length > 1 ? (byName(lists, ROWS) ?? byName(lists, [wanted])) : lists[0];
  if (lists.length === 0) return undefined;
  const row =
    list?.shape.kind === "list" && list.shape.items.kind === "object"
      ? list.shape.items
      : undefined;
  const { id } = row === undefined ? {} : chooseColumns(row);
  const next = findNextPage(query, found, hasLink, id);
  if (next === undefined) return undefined;
  if (list === undefined || row === undefined)
    return { kind: "unusable", reason: "its response has several lists of objects" };
  if (id === undefined)
    return {
      kind: "unusable",
      reason: "its rows have no property that identifies them, such as id",
    };
  const size = findPageSize(query);
  const filled = query.filter(
    (input) =>
      input.wireName === size?.wireName || ("wireName" in next && input.wireName === next.wireName),
  );
  // A URL of the next page has its own page number.
  const replaced =
    "wireName" in next
      ? []
      : query.filter(
          (input) => !input.isRequired && POSITIONS.includes(simplifyName(input.wireName)),
        );
  return {
    kind: "pages",
    row,
    rows: list.trail,
    next,
    size,
    inputs: [...new Set([...filled, ...replaced])],
  };
}

const POSITIONS = [...CURSOR_INPUTS, ...LAST_ROW_INPUTS, ...OFFSET_INPUTS, ...PAGE_INPUTS];

function findNextPage(
  query: readonly Input[],
  found: readonly Found[],
  hasLink: boolean,
  id: ShapeMember | undefined,
): NextPage | undefined {
  const texts = found.filter(({ shape }) => shape.kind === "text");
  const numbers = found.filter(({ shape }) => shape.kind === "number");
  const more = flagIn(found);
  const cursorInput = byInputName(
    query,
    CURSOR_INPUTS,
    (input) => !input.isRequired && ["text", "number"].includes(input.shape.kind),
  );
  const cursors =
    cursorInput?.shape.kind === "text"
      ? texts.filter((member) => !isUrl(member))
      : numbers.filter(isNext);
  const cursor = byName(cursors, CURSORS);
  if (cursorInput !== undefined && cursor !== undefined) {
    const type = cursorInput.shape.kind === "text" ? "string" : "number";
    return { kind: "cursor", wireName: cursorInput.wireName, cursor: cursor.trail, type, more };
  }
  const lastRowInput = byInputName(
    query,
    LAST_ROW_INPUTS,
    (input) => !input.isRequired && input.shape.kind === id?.shape.kind,
  );
  if (
    lastRowInput !== undefined &&
    more !== undefined &&
    id !== undefined &&
    /^[A-Za-z]\w*$/.test(id.name)
  )
    return { kind: "lastRow", wireName: lastRowInput.wireName, id: id.name, more };
  const url = texts.find(isNextUrl);
  if (url !== undefined) return { kind: "url", url: url.trail, more };
  if (hasLink) return { kind: "link" };
  const offset = byInputName(query, OFFSET_INPUTS, ({ shape }) => shape.kind === "number");
  if (offset !== undefined) {
    return {
      kind: "offset",
      wireName: offset.wireName,
      first: findFirst(offset, simplifyName(offset.wireName) === "startindex" ? 1 : 0),
      more,
      total: byName(numbers, TOTALS)?.trail,
    };
  }
  const page = byInputName(query, PAGE_INPUTS, ({ shape }) => shape.kind === "number");
  if (page === undefined) return undefined;
  return {
    kind: "page",
    wireName: page.wireName,
    first: findFirst(page, 1),
    more,
    total: byName(numbers, PAGE_TOTALS)?.trail,
  };
}

/** The number of the first row or page. */
function findFirst({ range }: Input, usual: 0 | 1): 0 | 1 {
  return (
    ([range?.first, range?.minimum].find((number) => number === 0 || number === 1) as
      | 0
      | 1
      | undefined) ?? usual
  );
}

/** The members of a response outside of its rows, from the outside in. */
function membersIn(shape: Shape): Found[] {
  if (shape.kind === "list") return [{ trail: [], name: "", shape }];
  let level: Found[] = [{ trail: [], name: "", shape }];
  const found: Found[] = [];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    level = level.flatMap(({ trail, shape: outer }) =>
      outer.kind !== "object"
        ? []
        : outer.members.map((member) => ({
            trail: [...trail, member.name],
            name: simplifyName(member.name),
            shape: member.shape,
          })),
    );
    found.push(...level.filter(({ trail }) => accessTo("body", trail).length <= MAX_ACCESS));
  }
  return found;
}

function flagIn(found: readonly Found[]): Flag | undefined {
  const flags = found.filter(({ shape }) => shape.kind === "boolean");
  const more = byName(flags, MORE);
  if (more !== undefined) return { trail: more.trail, value: true };
  const last = byName(flags, NO_MORE);
  return last === undefined ? undefined : { trail: last.trail, value: false };
}

function findPageSize(query: readonly Input[]): Paging["size"] {
  const input = byInputName(
    query,
    SIZE_INPUTS,
    ({ shape, range }) => shape.kind === "number" && (range?.maximum ?? range?.first ?? 0) > 0,
  );
  if (input === undefined) return undefined;
  const { first, maximum } = input.range ?? {};
  return {
    wireName: input.wireName,
    value:
      maximum === undefined
        ? (first ?? PAGE_SIZE)
        : Math.min(maximum, Math.max(first ?? 0, PAGE_SIZE)),
  };
}

function isUrl({ shape }: Found): boolean {
  return shape.kind === "text" && shape.hint === "Url";
}

/** `next_url`, `links.next`, `next.href`, or `next` with the format of a URL. */
function isNextUrl(found: Found): boolean {
  const outer = simplifyName(found.trail.at(-2) ?? "");
  if (NEXT_URLS.includes(found.name) || (["href", "url"].includes(found.name) && outer === "next"))
    return true;
  return isNext(found) && (isUrl(found) || outer === "links");
}

function isNext({ name }: Found): boolean {
  return /^next(?:page|pageid|cursor|token)?$/.test(name);
}

function byName(found: readonly Found[], names: readonly string[]): Found | undefined {
  return names
    .map((name) => found.find((each) => each.name === name))
    .find((each) => each !== undefined);
}

function byInputName(
  query: readonly Input[],
  names: readonly string[],
  fits: (input: Input) => boolean,
): Input | undefined {
  return names
    .map((name) => query.find((input) => simplifyName(input.wireName) === name && fits(input)))
    .find((each) => each !== undefined);
}

/** `body?.meta?.["next-cursor"]` */
export function accessTo(from: string, trail: Trail): string {
  return `${from}${trail.map((name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? `?.${name}` : `?.[${literal(name)}]`)).join("")}`;
}

function simplifyName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}
