import { createEdit } from "./fixes.ts";
import type { SourceEdit } from "./issue.ts";
import {
  calleeName,
  isNode,
  type Located,
  nodesIn,
  type SourceModule,
  type SyntaxNode,
} from "./source-module.ts";
import { findChild, findText, followReferences, listArguments, nameOfKey } from "./syntax.ts";

/**
 * Rewrites a call of a deprecated factory.
 * @param named gives a name of this package as the file has to write it
 * @returns the edits, or `undefined` where the rewrite is not certain
 */
type Rewrite = (
  call: SyntaxNode,
  module: SourceModule,
  named: (name: string) => string,
) => SourceEdit[] | undefined;

const parameterTypes = {
  makeStringParameter: "String",
  makeStringArrayParameter: "StringArray",
  makeNumericParameter: "Number",
  makeNumericArrayParameter: "NumberArray",
  makeBooleanParameter: "Boolean",
  makeBooleanArrayParameter: "BooleanArray",
  makeDateParameter: "Date",
  makeDateArrayParameter: "DateArray",
  makeHtmlParameter: "Html",
  makeHtmlArrayParameter: "HtmlArray",
  makeImageParameter: "Image",
  makeImageArrayParameter: "ImageArray",
  makeFileParameter: "File",
  makeFileArrayParameter: "FileArray",
} as const;

type ParameterFactory = keyof typeof parameterTypes;
export type LegacyFactory =
  | ParameterFactory
  | "makeStringFormula"
  | "makeNumericFormula"
  | "makeObjectFormula"
  | "makeSyncTableLegacy"
  | "makeUserVisibleError"
  | "isUserVisibleError";

const parameters = Object.entries(parameterTypes) as [ParameterFactory, string][];

/** How each deprecated factory is rewritten. */
export const legacyFactories: Readonly<Record<LegacyFactory, Rewrite>> = {
  ...(Object.fromEntries(
    parameters.map(([name, type]) => [name, rewriteParameter(type)]),
  ) as Record<ParameterFactory, Rewrite>),
  makeStringFormula: (call, module, named) => rewriteFormula(call, module, named, () => "String"),
  makeNumericFormula: (call, module, named) =>
    rewriteFormula(call, module, named, (response) =>
      response === undefined ? "Number" : undefined,
    ),
  makeObjectFormula: (call, module, named) =>
    rewriteFormula(call, module, named, (_, schema) =>
      schema === undefined ? undefined : kindOfSchema(schema),
    ),
  makeSyncTableLegacy: rewriteSyncTable,
  makeUserVisibleError: (call, module, named) => {
    const callee = call["callee"];
    return isNode(callee) && hasPlainArguments(call)
      ? [createEdit(module, callee, `new ${named("UserVisibleError")}`)]
      : undefined;
  },
  isUserVisibleError: (call, module, named) => {
    const [error, ...rest] = listArguments(call);
    if (
      error === undefined ||
      rest.length > 0 ||
      (error.type !== "Identifier" && error.type !== "MemberExpression")
    )
      return undefined;
    const text = `(${module.text.slice(error.start, error.end)} instanceof ${named("UserVisibleError")})`;
    return [createEdit(module, call, text)];
  },
};

/** The current form of each deprecated factory: its name, and how to write it. */
export const currentForms: Readonly<Record<LegacyFactory, { name: string; form: string }>> = {
  ...(Object.fromEntries(
    parameters.map(([name, type]) => [
      name,
      {
        name: "makeParameter",
        form: `makeParameter({ type: ParameterType.${type}, name, description })`,
      },
    ]),
  ) as Record<ParameterFactory, { name: string; form: string }>),
  makeStringFormula: {
    name: "makeFormula",
    form: "makeFormula({ resultType: ValueType.String, … })",
  },
  makeNumericFormula: {
    name: "makeFormula",
    form: "makeFormula({ resultType: ValueType.Number, … })",
  },
  makeObjectFormula: {
    name: "makeFormula",
    form: "makeFormula({ resultType: ValueType.Object, schema, … })",
  },
  makeSyncTableLegacy: {
    name: "makeSyncTable",
    form: "makeSyncTable({ name, identityName, schema, formula })",
  },
  makeUserVisibleError: { name: "UserVisibleError", form: "new UserVisibleError(message)" },
  isUserVisibleError: { name: "UserVisibleError", form: "error instanceof UserVisibleError" },
};

/**
 * `(name, description, options?)` becomes one object. The code inside the arguments stays as it is.
 */
function rewriteParameter(type: string): Rewrite {
  return (call, module, named) => {
    const [name, description, options] = listArguments(call);
    if (
      name === undefined ||
      description === undefined ||
      !hasPlainArguments(call) ||
      listArguments(call).length > 3
    )
      return undefined;
    const gap = /\s*$/.exec(module.text.slice(0, name.start))?.[0].length ?? 0;
    const head = [
      createEdit(module, call["callee"] as SyntaxNode, named("makeParameter")),
      createReplacement(
        module,
        name.start - gap,
        name.start,
        `{ type: ${named("ParameterType")}.${type}, name: `,
      ),
      createReplacement(module, name.end, description.start, ", description: "),
    ];
    if (options === undefined)
      return certain(
        [...head, createReplacement(module, description.end, call.end, " })")],
        module,
      );
    const members = plainMembers(options);
    if (members === undefined) return undefined;
    const [first, last] = [members[0], members.at(-1)];
    if (first === undefined || last === undefined)
      return certain(
        [...head, createReplacement(module, description.end, call.end, " })")],
        module,
      );
    return certain(
      [
        ...head,
        createReplacement(module, description.end, first.start, ", "),
        createReplacement(module, last.end, call.end, " })"),
      ],
      module,
    );
  };
}

type ResultTypeOf = (
  response: SyntaxNode | undefined,
  schema: Located | undefined,
) => "String" | "Number" | "Object" | "Array" | undefined;

/** The members stay, `response` becomes the schema inside it, and the result type is added. */
function rewriteFormula(
  call: SyntaxNode,
  module: SourceModule,
  named: (name: string) => string,
  resultTypeOf: ResultTypeOf,
): SourceEdit[] | undefined {
  const [definition, ...rest] = listArguments(call);
  const members =
    definition === undefined || rest.length > 0 || !hasPlainArguments(call)
      ? undefined
      : plainMembers(definition);
  const [first] = members ?? [];
  if (members === undefined || definition === undefined || first === undefined) return undefined;
  if (["resultType", "schema", "items"].some((key) => findMember(members, key) !== undefined))
    return undefined;
  const response = findMember(members, "response");
  const inner = response === undefined ? [] : plainMembers(response["value"]);
  if (inner === undefined) return undefined;
  const schema = findMember(inner, "schema");
  const value =
    schema === undefined || !isNode(schema["value"])
      ? undefined
      : { node: schema["value"], module, isShared: false };
  const resultType = resultTypeOf(response, value);
  if (
    resultType === undefined ||
    inner.some((member) => !["schema", "onError"].includes(findKey(member) ?? ""))
  )
    return undefined;
  const edits = [createEdit(module, call["callee"] as SyntaxNode, named("makeFormula"))];
  const gap = module.text.slice(definition.start + 1, first.start);
  const separator = gap.trim() === "" && gap !== "" ? gap : " ";
  edits.push(
    createReplacement(
      module,
      first.start,
      first.start,
      `resultType: ${named("ValueType")}.${resultType},${separator}`,
    ),
  );
  if (response === undefined) return certain(edits, module);
  const onError = findMember(inner, "onError");
  if (onError !== undefined && findMember(members, "onError") !== undefined) return undefined;
  const texts = [
    value === undefined
      ? undefined
      : resultType === "Array"
        ? itemsText(value)
        : `schema: ${textIn(module, value.node)}`,
    onError === undefined ? undefined : textIn(module, onError),
  ];
  if (value !== undefined && texts[0] === undefined) return undefined;
  const kept = texts.filter((text) => text !== undefined);
  if (kept.length === 0) return undefined;
  return certain([...edits, createEdit(module, response, kept.join(`,${separator}`))], module);
}

function kindOfSchema(schema: Located): "Object" | "Array" | undefined {
  if (calleeName(schema.node)?.["name"] === "makeObjectSchema") return "Object";
  const { node } = followReferences(schema);
  if (node.type !== "ObjectExpression") return undefined;
  if (findChild(schema, "properties") !== undefined) return "Object";
  return findChild(schema, "items") === undefined ? undefined : "Array";
}

/** The schema of the elements: written in place, or a member of a constant. */
function itemsText(schema: Located): string | undefined {
  if (schema.node.type === "Identifier") return `items: ${String(schema.node["name"])}.items`;
  const items = findChild(schema, "items");
  return items === undefined || items.value.module !== schema.module || items.value.isShared
    ? undefined
    : `items: ${textIn(schema.module, items.value.node)}`;
}

const TABLE_ARGUMENTS = [
  "name",
  "schema",
  "formula",
  "connectionRequirement",
  "dynamicOptions",
  "displayName",
];

/**
 * `(name, schema, formula, connectionRequirement?, dynamicOptions?, displayName?)` becomes one
 * object.
 */
function rewriteSyncTable(
  call: SyntaxNode,
  module: SourceModule,
  named: (name: string) => string,
): SourceEdit[] | undefined {
  const given = listArguments(call);
  const schema = given[1];
  if (
    given.length < 3 ||
    given.length > TABLE_ARGUMENTS.length ||
    schema === undefined ||
    !hasPlainArguments(call)
  )
    return undefined;
  const identity = findChild({ node: schema, module, isShared: false }, "identity");
  const name = identity === undefined ? undefined : findChild(identity.value, "name");
  const identityName = name === undefined ? undefined : findText(followReferences(name.value).node);
  if (identityName === undefined) return undefined;
  const edits = [createEdit(module, call["callee"] as SyntaxNode, named("makeSyncTable"))];
  let written = given[0]?.start ?? call.end;
  given.forEach((argument, index) => {
    const key = TABLE_ARGUMENTS[index] ?? "";
    const lead = index === 0 ? "{ " : ", ";
    const identityText = key === "schema" ? `identityName: ${JSON.stringify(identityName)}, ` : "";
    if (isUndefined(argument)) return;
    edits.push(
      createReplacement(module, written, argument.start, `${lead}${identityText}${key}: `),
    );
    written = argument.end;
  });
  return certain([...edits, createReplacement(module, written, call.end, " })")], module);
}

function isUndefined(node: SyntaxNode): boolean {
  return node.type === "Identifier" && node["name"] === "undefined";
}

/** Refuses edits that would delete a comment of the author. */
function certain(edits: SourceEdit[], { text }: SourceModule): SourceEdit[] | undefined {
  const isCode = ({ start, end }: SourceEdit): boolean =>
    /[\w$"'`]/.test(text.slice(start, end).trim().charAt(0));
  return edits.some((edit) => !isCode(edit) && /\/[/*]/.test(text.slice(edit.start, edit.end)))
    ? undefined
    : edits;
}

function hasPlainArguments(call: SyntaxNode): boolean {
  const typeArguments = call["typeArguments"] ?? call["typeParameters"];
  return (
    listArguments(call).every(({ type }) => type !== "SpreadElement") &&
    !isNode(typeArguments) &&
    call["optional"] !== true
  );
}

/** The members of an object literal without spreads and computed keys. */
function plainMembers(value: unknown): SyntaxNode[] | undefined {
  if (!isNode(value) || value.type !== "ObjectExpression") return undefined;
  const members = nodesIn(value["properties"]);
  return members.every((member) => findKey(member) !== undefined) ? members : undefined;
}

function findMember(members: readonly SyntaxNode[], key: string): SyntaxNode | undefined {
  return members.find((member) => findKey(member) === key);
}

function findKey(member: SyntaxNode): string | undefined {
  return isNode(member["key"]) ? nameOfKey(member["key"], member["computed"] === true) : undefined;
}

const textIn = (module: SourceModule, node: SyntaxNode): string =>
  module.text.slice(node.start, node.end);
const createReplacement = (
  module: SourceModule,
  start: number,
  end: number,
  text: string,
): SourceEdit => ({
  file: module.path,
  start,
  end,
  text,
});
