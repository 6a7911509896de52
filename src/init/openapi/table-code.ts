import {
  type Code,
  join,
  literal,
  NEW_LINE,
  writeArray,
  writeBoth,
  writeConstant,
  writeEither,
  writeEntry,
  writeKey,
  writeObject,
} from "./code-document.ts";
import { argumentsCode, joinLines, parameterCode, requestCode, type Uses } from "./formula-code.ts";
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
  const page = pageType(name, paging, `${schemas.writeType(paging.row)}[]`);
  const formula: Code[] = [
    ["parameters: ", writeArray(inputs.map((input) => parameterCode(input, uses)))],
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
    writeEntry("name", literal(name)),
    writeEntry("description", literal(description)),
    writeEntry("identityName", literal(identityName)),
    ["schema: ", schema],
    ["formula: ", writeObject(formula, { isBroken: true })],
  ];
  return [
    ...page.declaration,
    "pack.addSyncTable(",
    writeObject(entries, { isBroken: true }),
    ");",
  ];
}

function statements(operation: Operation, paging: Paging, pageName: string, uses: Uses): Code {
  const { next, rows, size } = paging;
  const more = size === undefined ? [] : [writeEntry(writeKey(size.wireName), String(size.value))];
  const { current, position } = positionCode(next);
  const isAddress = next.kind === "url" || next.kind === "link";
  if (isAddress) uses.helper("absoluteUrl");
  if (next.kind === "link") uses.helper("nextLink");
  const { before, request } = requestCode(operation, uses, {
    more: [...more, ...position],
    isContinued: isAddress,
  });
  return joinLines([
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
      return { current: [], position: [writeEntry(writeKey(next.wireName), saved)] };
    case "url":
    case "link":
      return { current: [`const current = ${saved};`], position: [] };
    case "offset":
    case "page":
      return {
        current: [`const current = Number(${saved} ?? ${next.first});`],
        position: [writeEntry(writeKey(next.wireName), "current")],
      };
  }
}

function nextCode(next: NextPage, size: number | undefined): Code[] {
  switch (next.kind) {
    case "cursor":
      return [
        `const next = ${accessTo("body", next.cursor)};`,
        writeReturn([...writeFlag(next), "next"]),
      ];
    case "lastRow":
      return [`const next = rows.at(-1)?.${next.id};`, writeReturn([...writeFlag(next), "next"])];
    case "url":
      return [
        `const next = ${accessTo("body", next.url)};`,
        writeReturn([...writeFlag(next), "next"], "next: absoluteUrl(next)"),
      ];
    case "link":
      return [
        'const next = nextLink(headers["link"]);',
        writeReturn(["next"], "next: absoluteUrl(next)"),
      ];
    case "offset":
    case "page":
      return [
        `const next = current + ${next.kind === "offset" ? "rows.length" : "1"};`,
        writeConstant("hasNext", writeBoth(writeConditions(next, size))),
        writeReturn(["hasNext"]),
      ];
  }
}

function writeReturn(conditions: readonly string[], entry = "next"): Code {
  const continuation = writeEither(writeBoth(conditions), writeObject([entry]), "undefined");
  return ["return ", writeObject(["result: rows", writeEntry("continuation", continuation)]), ";"];
}

/** Whether there is another page: by what the response says, or else until a page is not full. */
function writeConditions(
  next: Extract<NextPage, { kind: "offset" | "page" }>,
  size: number | undefined,
): string[] {
  if (next.more !== undefined) return ["rows.length > 0", ...writeFlag(next)];
  if (next.total === undefined)
    return [size === undefined ? "rows.length > 0" : `rows.length >= ${size}`];
  return [
    "rows.length > 0",
    `next ${next.first === 0 ? "<" : "<="} (${accessTo("body", next.total)} ?? Infinity)`,
  ];
}

function writeFlag({ more }: Extract<NextPage, { more: unknown }>): string[] {
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
    return [`${writeKey(name)}?: `, rest.length === 0 ? type : objectType(membersCode(inner))];
  });
}

function objectType(members: readonly Code[]): Code {
  const space: Code = { line: " " };
  return {
    group: ["{", { indent: [space, join(members, [";", space])] }, { ifBroken: ";" }, space, "}"],
  };
}
