// Writes src/legacy-types/shared-types.ts: the types that `@codahq/packs-sdk` has like packsmith. They
// are printed from those of packsmith, as types of that package are written: members are not
// readonly, an optional member has no `undefined`, and a `type` is a member of an enumeration. With
// --check, reports whether the file is out of date.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript-5.9";
import { ENUMERATIONS } from "./enumerations.mjs";
import { writeSource } from "./write-source.mjs";

/** The files of src/define, and what is different or missing in the other package. */
const FILES = {
  "agent.ts": { leftOut: ["AgentToolsDef"] },
  "authentication.ts": {
    leftOut: [
      "AdminAuthenticationDef",
      "AuthenticationDef",
      "SecretAuthentication",
      "SecretField",
      "SecretPlaces",
      "SystemAuthenticationDef",
      "UserAuthenticationDef",
    ],
  },
  "legacy-helpers.ts": { leftOut: [] },
  "skill.ts": { leftOut: [] },
};
/** Members that only `@codahq/packs-sdk` has. */
const ADDED = {
  CodaApiBearerTokenAuthentication:
    "/** @deprecated Accepted for compatibility with existing Packs. */\ndeferConnectionSetup?: boolean;",
};
/** Names that only packsmith exports. */
const PRIVATE = ["GlobalKnowledgeToolSource", "GuideScreenAnnotation", "PackToolFormula"];
/** The enumerations of members that have a literal here, and of keys. */
const ENUMERATION_OF_MEMBER = { kind: "DefaultTriggerKind", type: "AuthenticationType" };
const ENUMERATION_OF_KEYS = { ToolMap: "ToolType" };
/** What is written by hand, because it differs. */
const IMPORTED = [
  "BaseAuthentication",
  "OAuth2Authentication",
  "OAuth2ClientCredentialsAuthentication",
];

const { factory } = ts;
const printer = ts.createPrinter();
const parts = Object.entries(FILES).flatMap(([name, { leftOut }]) => printFile(name, leftOut));
const code = parts.join("\n\n");
// A name that is also a type parameter is no enumeration here.
const isUsed = (name) =>
  new RegExp(`\\b${name}\\b`).test(code) && !code.includes(`<${name} extends`);
const enumerations = ENUMERATIONS.map(({ name }) => name).filter(isUsed);
writeSource(
  "src/legacy-types/shared-types.ts",
  `// Generated from src/define. To change it, edit that folder or the tables in
// .ci/generate-legacy-types.mjs, and run: npm run docs

import type { ${IMPORTED.join(", ")} } from "./authentication.ts";
import type { ${enumerations.join(", ")} } from "./enumerations.ts";

${code}
`,
);

function printFile(name, leftOut) {
  const path = fileURLToPath(new URL(`../src/define/${name}`, import.meta.url));
  const source = ts.createSourceFile(
    name,
    readFileSync(path, "utf8"),
    ts.ScriptTarget.ES2022,
    true,
  );
  return source.statements
    .filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
    .filter((node) => node.modifiers?.some(isExport) && !leftOut.includes(node.name.text))
    .map((node) => printDeclaration(node, source));
}

function printDeclaration(node, source) {
  const name = node.name.text;
  const [changed] = ts.transform(node, [
    (context) => (root) => rewrite(root, name, context),
  ]).transformed;
  const text = printer.printNode(ts.EmitHint.Unspecified, changed, source);
  const added = ADDED[name];
  return added === undefined ? text : text.replace(/\}$/, `${added}\n}`);
}

function rewrite(node, declaration, context) {
  const visit = (child) => rewrite(child, declaration, context);
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword)
    return visit(node.type);
  if (ts.isPropertySignature(node)) return rewriteMember(node, declaration, visit);
  if (isExport(node) && PRIVATE.includes(declaration)) return undefined;
  return ts.visitEachChild(node, visit, context);
}

function rewriteMember(node, declaration, visit) {
  const type = ts.visitNode(node.type, visit);
  const modifiers = node.modifiers?.filter(({ kind }) => kind !== ts.SyntaxKind.ReadonlyKeyword);
  const enumeration = ENUMERATION_OF_KEYS[declaration];
  const name =
    enumeration === undefined
      ? node.name
      : factory.createComputedPropertyName(
          factory.createIdentifier(`${enumeration}.${node.name.text}`),
        );
  return factory.updatePropertySignature(
    node,
    modifiers,
    name,
    node.questionToken,
    withEnumeration(node, withoutUndefined(node, type)),
  );
}

function withoutUndefined(node, type) {
  if (node.questionToken === undefined || !ts.isUnionTypeNode(type)) return type;
  const [first, ...others] = type.types.filter(
    ({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword,
  );
  return others.length === 0 ? first : factory.createUnionTypeNode([first, ...others]);
}

/** A literal as the member of its enumeration. */
function withEnumeration(node, type) {
  const name = ENUMERATION_OF_MEMBER[node.name.text];
  if (name === undefined || !ts.isLiteralTypeNode(type)) return type;
  const { members } = ENUMERATIONS.find((enumeration) => enumeration.name === name);
  const member = members.find(({ value }) => value === type.literal.text);
  return factory.createTypeReferenceNode(`${name}.${member.name}`);
}

function isExport({ kind }) {
  return kind === ts.SyntaxKind.ExportKeyword;
}
