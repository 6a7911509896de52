import {
  arrayOf,
  bothOf,
  type Code,
  constantOf,
  eitherOf,
  entryOf,
  join,
  keyOf,
  literal,
  NEW_LINE,
  objectOf,
} from "./code-document.ts";
import { argumentsCode, lined, parameterCode, requestCode, type Uses } from "./formula-code.ts";
import type { Operation } from "./operations.ts";
import { accessTo, type NextPage, type Paging, type Trail } from "./paging.ts";
import type { SchemaCode } from "./schema-code.ts";

/** The code of a sync table: the type of its responses, and `pack.addSyncTable({ … });` */
export function tableCode(
  operation: Operation,
  table: NonNullable<Operation["table"]>,
  schemas: SchemaCode,
  uses: Uses,
): Code {
  const { name, description, inputs, isPublic } = operation;
  const { paging, identityName } = table;
  if (isPublic) uses.name("ConnectionRequirement");
  const schema = schemas.expression(paging.row);
  const page = pageType(name, paging, `${schemas.typeOf(paging.row)}[]`);
  const formula: Code[] = [
    ["parameters: ", arrayOf(inputs.map((input) => parameterCode(input, uses)))],
    ...(isPublic ? ["connectionRequirement: ConnectionRequirement.None"] : []),
    [
      "execute: async ",
      argumentsCode(inputs),
      " => {",
      { indent: [NEW_LINE, statements(operation, paging, page.name, uses)] },
      NEW_LINE,
      "}",
    ],
  ];
  const entries: Code[] = [
    entryOf("name", literal(name)),
    entryOf("description", literal(description)),
    entryOf("identityName", literal(identityName)),
    ["schema: ", schema],
    ["formula: ", objectOf(formula, { isBroken: true })],
  ];
  return [...page.declaration, "pack.addSyncTable(", objectOf(entries, { isBroken: true }), ");"];
}

function statements(operation: Operation, paging: Paging, pageName: string, uses: Uses): Code {
  const { next, rows, size } = paging;
  const more = size === undefined ? [] : [entryOf(keyOf(size.wireName), String(size.value))];
  const { current, position } = positionCode(next);
  const isAddress = next.kind === "url" || next.kind === "link";
  if (isAddress) uses.helper("absoluteUrl");
  if (next.kind === "link") uses.helper("nextLink");
  const { before, request } = requestCode(operation, uses, {
    more: [...more, ...position],
    isContinued: isAddress,
  });
  return lined([
    ...current,
    ...before,
    [
      `const { body${next.kind === "link" ? ", headers" : ""} } = await context.fetcher.fetch<${pageName}>(`,
      request,
      ");",
    ],
    `const rows = ${accessTo("body", rows)} ?? [];`,
    ...nextCode(next, size?.value),
  ]);
}

/** Where this page begins, and the query parameters that say so. */
function positionCode(next: NextPage): { current: Code[]; position: Code[] } {
  const saved = 'context.sync.continuation?.["next"]';
  switch (next.kind) {
    case "cursor":
    case "lastRow":
      return { current: [], position: [entryOf(keyOf(next.wireName), saved)] };
    case "url":
    case "link":
      return { current: [`const current = ${saved};`], position: [] };
    case "offset":
    case "page":
      return {
        current: [`const current = Number(${saved} ?? ${next.first});`],
        position: [entryOf(keyOf(next.wireName), "current")],
      };
  }
}

function nextCode(next: NextPage, size: number | undefined): Code[] {
  switch (next.kind) {
    case "cursor":
      return [
        `const next = ${accessTo("body", next.cursor)};`,
        returned([...flagOf(next), "next"]),
      ];
    case "lastRow":
      return [`const next = rows.at(-1)?.${next.id};`, returned([...flagOf(next), "next"])];
    case "url":
      return [
        `const next = ${accessTo("body", next.url)};`,
        returned([...flagOf(next), "next"], "next: absoluteUrl(next)"),
      ];
    case "link":
      return [
        'const next = nextLink(headers["link"]);',
        returned(["next"], "next: absoluteUrl(next)"),
      ];
    case "offset":
    case "page":
      return [
        `const next = current + ${next.kind === "offset" ? "rows.length" : "1"};`,
        constantOf("hasNext", bothOf(conditionsOf(next, size))),
        returned(["hasNext"]),
      ];
  }
}

function returned(conditions: readonly string[], entry = "next"): Code {
  const continuation = eitherOf(bothOf(conditions), objectOf([entry]), "undefined");
  return ["return ", objectOf(["result: rows", entryOf("continuation", continuation)]), ";"];
}

/** Whether there is another page: by what the response says, or else until a page is not full. */
function conditionsOf(
  next: Extract<NextPage, { kind: "offset" | "page" }>,
  size: number | undefined,
): string[] {
  if (next.more !== undefined) return ["rows.length > 0", ...flagOf(next)];
  if (next.total === undefined)
    return [size === undefined ? "rows.length > 0" : `rows.length >= ${size}`];
  return [
    "rows.length > 0",
    `next ${next.first === 0 ? "<" : "<="} (${accessTo("body", next.total)} ?? Infinity)`,
  ];
}

function flagOf({ more }: Extract<NextPage, { more: unknown }>): string[] {
  return more === undefined ? [] : [`${accessTo("body", more.trail)} !== ${!more.value}`];
}

/** The type of a response, with the members that the table reads. */
function pageType(
  table: string,
  { rows, next }: Paging,
  rowsType: string,
): { name: string; declaration: Code[] } {
  if (rows.length === 0) return { name: rowsType, declaration: [] };
  const members: Member[] = [[rows, rowsType]];
  if ("more" in next && next.more !== undefined) members.push([next.more.trail, "boolean"]);
  else if ("total" in next && next.total !== undefined) members.push([next.total, "number"]);
  if (next.kind === "cursor") members.push([next.cursor, `${next.type} | null`]);
  if (next.kind === "url") members.push([next.url, "string | null"]);
  const name = `${table}Page`;
  const lines = membersCode(members).map((member): Code => [NEW_LINE, member, ";"]);
  return {
    name,
    declaration: [`interface ${name} {`, { indent: lines }, NEW_LINE, "}", NEW_LINE, NEW_LINE],
  };
}

type Member = readonly [Trail, string];

function membersCode(members: readonly Member[]): Code[] {
  const groups = new Map<string, Member[]>();
  for (const [[name = "", ...rest], type] of members)
    groups.set(name, [...(groups.get(name) ?? []), [rest, type]]);
  return [...groups].map(([name, inner]) => {
    const [[rest, type] = [[], ""]] = inner;
    return [`${keyOf(name)}?: `, rest.length === 0 ? type : objectType(membersCode(inner))];
  });
}

function objectType(members: readonly Code[]): Code {
  const space: Code = { line: " " };
  return {
    group: ["{", { indent: [space, join(members, [";", space])] }, { ifBroken: ";" }, space, "}"],
  };
}
