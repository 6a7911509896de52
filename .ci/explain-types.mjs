// Copies doc comments in the built declarations, so that each text is written once. A declaration
// that has its own comment keeps it.
//
//   - From packsmith's types to the types of `@codahq/packs-sdk`, by name and member.
// - From the members of an enumeration to the types of the same names in its namespace: editors
// suggest these.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-5.9";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const own = join(dist, "legacy.d.ts");
/** These have texts of their own. */
const SKIPPED = new Set(["enumerations.d.ts", "shared-types.d.ts", "testing.d.ts"]);

/** Names that packsmith does not have, and the names of its types that have their members. */
const MEMBERS_OF = {
  BaseIndexDefinition: "CustomIndexDefinition",
  BaseNumberSchema: "NumericSchema",
  BaseSchema: "PropertyOptions",
  BaseStringSchema: "SimpleStringSchema",
  BaseTableOptions: "SyncTableOptions",
  CodeAuthentication: "OAuth2StaticCodeAuthentication",
  ExecuteGetPermissionsRequest: "PermissionsRequest",
  Failure: "InvocationError",
  GetPermissionsResult: "PermissionsResult",
  OnErrorFormulaOptions: "BaseFormulaDef",
  RangeSchema: "SliderSchema",
  SyncFormulaDef: "SyncFormulaDefinition",
  TableIndexing: "IndexingOptions",
};
/** True of a name of packsmith, but not of the same name of `@codahq/packs-sdk`. */
const OWN_ONLY = /^\/\*\*\s*\*?\s*Another name of /;

const folder = join(dist, "legacy-types");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".d.ts") && !SKIPPED.has(name))
  .map((name) => join(folder, name));
const program = ts.createProgram([own, ...files], {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
});
const checker = program.getTypeChecker();
const exported = checker.getExportsOfModule(
  checker.getSymbolAtLocation(program.getSourceFile(own)),
);

for (const file of files) {
  const insertions = [];
  for (const statement of program.getSourceFile(file).statements) {
    const name = (statement.declarationList?.declarations[0] ?? statement).name?.text;
    if (name === undefined) continue;
    explain(statement, symbolsOf(name), insertions);
    explainMembers(statement, symbolsOf(MEMBERS_OF[name] ?? name).flatMap(typesOf), insertions);
  }
  let text = readFileSync(file, "utf8");
  for (const { at, comment } of insertions.sort((one, other) => other.at - one.at))
    text = text.slice(0, at) + comment + text.slice(at);
  writeFileSync(file, text);
}

function symbolsOf(name) {
  const named = exported.filter((symbol) => symbol.name === name);
  return named.map((symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );
}

function explain(node, symbols, insertions) {
  if (ts.getJSDocCommentsAndTags(node).some(ts.isJSDoc)) return;
  const comment = symbols.map(commentOf).find((text) => text !== undefined && !OWN_ONLY.test(text));
  if (comment === undefined) return;
  const at = node.getStart();
  const { character } = node.getSourceFile().getLineAndCharacterOfPosition(at);
  const lines = comment
    .split("\n")
    .map((line, index) => (index === 0 ? line : `${" ".repeat(character + 1)}${line.trim()}`));
  insertions.push({ at, comment: `${lines.join("\n")}\n${" ".repeat(character)}` });
}

function explainMembers(node, types, insertions) {
  for (const member of membersOf(node)) {
    if (member.name === undefined || ts.isComputedPropertyName(member.name)) continue;
    const symbols = types
      .map((type) => checker.getPropertyOfType(type, member.name.text))
      .filter((symbol) => symbol !== undefined);
    if (symbols.length === 0) continue;
    explain(member, symbols, insertions);
    explainMembers(member, symbols.flatMap(typesOf), insertions);
  }
  if (node.parameters === undefined) return;
  for (const [index, parameter] of node.parameters.entries()) {
    const inside = types
      .flatMap((type) => type.getCallSignatures())
      .flatMap(({ parameters }) => parameters[index] ?? []);
    explainMembers(parameter, inside.flatMap(typesOf), insertions);
  }
}

/** The members of a declaration, or of the object types that it is made of. */
function membersOf(node) {
  if (node.members !== undefined) return node.members;
  return node.type === undefined ? [] : objectTypesIn(node.type).flatMap(({ members }) => members);
}

function objectTypesIn(type) {
  if (ts.isTypeLiteralNode(type)) return [type];
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type))
    return type.types.flatMap(objectTypesIn);
  if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type))
    return objectTypesIn(type.type);
  return ts.isArrayTypeNode(type) ? objectTypesIn(type.elementType) : [];
}

/** What a name means as a type and as a value; a union or a list in its parts. */
function typesOf(symbol) {
  const parts = new Set();
  if (symbol.flags & ts.SymbolFlags.Type) addParts(checker.getDeclaredTypeOfSymbol(symbol), parts);
  if (symbol.flags & (ts.SymbolFlags.Value | ts.SymbolFlags.Property))
    addParts(checker.getTypeOfSymbol(symbol), parts);
  return [...parts];
}

function addParts(type, parts) {
  if (parts.has(type)) return;
  parts.add(type);
  const inside = type.isUnion()
    ? type.types
    : checker.isArrayType(type)
      ? checker.getTypeArguments(type)
      : [];
  for (const part of inside) addParts(part, parts);
}

function commentOf(symbol) {
  return symbol.declarations
    ?.flatMap((node) => (ts.isVariableDeclaration(node) ? [node.parent.parent, node] : [node]))
    .flatMap((node) => ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc))
    .at(-1)
    ?.getText();
}
