import type { SourceFile } from "./issue.ts";
import {
  calleeName,
  isNode,
  isProgram,
  nodesIn,
  parseModules,
  type SourceModule,
  type SyntaxNode,
} from "./source-module.ts";

/** A changed text, and the line where the change begins. */
export interface EditedText {
  text: string;
  /** Counts from 1. */
  line: number;
}

/**
 * Adds a call of `pack.setUserAuthentication`, written with `pack` and `AuthenticationType`, to a
 * Pack's entry file: after the
 * network domains that it declares, else after `newPack()`. Names are adapted to the file, and
 * missing names are imported.
 * @returns undefined when the file has no variable that holds `newPack()`
 */
export function addAuthentication(source: SourceFile, call: string): EditedText | undefined {
  const [module] = parseModules([source]);
  if (module === undefined) return undefined;
  const statements = nodesIn(module.program["body"]);
  const pack = packVariable(statements);
  if (pack === undefined) return undefined;
  const domains = statements.filter((statement) => isDomainCall(statement, pack.name));
  const at = (domains.at(-1) ?? pack.statement).end;
  const { text: name, edit } = authenticationType(module, statements);
  const lineBreak = source.text.includes("\r\n") ? "\r\n" : "\n";
  const written = call
    .replace(/^pack\./, `${pack.name}.`)
    .replace("AuthenticationType.", name)
    .replaceAll("\n", lineBreak);
  const inserted = `${lineBreak}${lineBreak}${written}`;
  const body = source.text.slice(0, at) + inserted + source.text.slice(at);
  const text = edit === undefined ? body : body.slice(0, edit.at) + edit.text + body.slice(edit.at);
  if (!isProgram({ path: source.path, text })) return undefined;
  const begin = at + 2 * lineBreak.length + (edit?.text.length ?? 0);
  return { text, line: text.slice(0, begin).split("\n").length };
}

/**
 * @returns the line of the first call of `setUserAuthentication`; 1 when it is written in another
 * file.
 */
export function lineOfAuthentication(source: SourceFile): number {
  const call = parseModules([source])[0]?.calls.get("setUserAuthentication")?.[0];
  return call === undefined ? 1 : source.text.slice(0, call.start).split("\n").length;
}

/** The variable that holds the result of `newPack()`, and the statement that declares it. */
function packVariable(
  statements: readonly SyntaxNode[],
): { name: string; statement: SyntaxNode } | undefined {
  for (const statement of statements) {
    const declaration =
      statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement;
    if (!isNode(declaration) || declaration.type !== "VariableDeclaration") continue;
    for (const { id, init } of nodesIn(declaration["declarations"]) as (SyntaxNode & {
      id: unknown;
      init: unknown;
    })[]) {
      if (isNode(id) && id.type === "Identifier" && isNode(init) && isCallOf(init, "newPack"))
        return { name: String(id["name"]), statement };
    }
  }
  return undefined;
}

function isCallOf(node: SyntaxNode, name: string): boolean {
  return node.type === "CallExpression" && calleeName(node)?.["name"] === name;
}

function isDomainCall(
  { type, expression }: SyntaxNode & { expression?: unknown },
  pack: string,
): boolean {
  if (
    type !== "ExpressionStatement" ||
    !isNode(expression) ||
    !isCallOf(expression, "addNetworkDomain")
  )
    return false;
  const callee = expression["callee"];
  const object = isNode(callee) ? callee["object"] : undefined;
  return isNode(object) && object["name"] === pack;
}

/** How the file writes `AuthenticationType.`, and the import that this needs. */
function authenticationType(
  module: SourceModule,
  statements: readonly SyntaxNode[],
): { text: string; edit?: { at: number; text: string } } {
  const isOurs = (from: unknown): boolean => from === "packsmith" || from === "@codahq/packs-sdk";
  for (const [local, { from, name }] of module.imports) {
    if (isOurs(from) && name === "AuthenticationType") return { text: `${local}.` };
    if (isOurs(from) && name === "*") return { text: `${local}.AuthenticationType.` };
  }
  const imports = statements.filter(
    ({ type, source }: SyntaxNode & { source?: unknown; type: string }) => {
      return type === "ImportDeclaration" && isNode(source) && isOurs(source["value"]);
    },
  );
  const first = imports
    .filter((each) => each["importKind"] !== "type")
    .flatMap((each) => nodesIn(each["specifiers"]))[0];
  if (first?.type === "ImportSpecifier")
    return { text: "AuthenticationType.", edit: { at: first.start, text: "AuthenticationType, " } };
  return {
    text: "AuthenticationType.",
    edit: { at: 0, text: 'import { AuthenticationType } from "packsmith";\n' },
  };
}
