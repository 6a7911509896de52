// Writes docs/authoring.md and its pages from the doc comments of everything that `packsmith`
// exports. With --check, says whether a page is stale. A name is left out when its comment has one
// of the tags of QUIET. Every other name needs a comment, and every file that declares one needs a
// place in GROUPS.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-5.9";
import { exampleOf } from "./docs-example.mjs";
import { GROUPS, INTRODUCTION, PAGES } from "./docs-groups.mjs";
import { createTypeWriter } from "./docs-types.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "docs");
const TYPE_RANK = 2;
const QUIET = new Set(["internal", "deprecated"]);

const program = ts.createProgram([join(root, "src/index.ts")], {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: [],
});
const checker = program.getTypeChecker();

const problems = [];
const quietNames = new Set();
const entries = publicEntries();
const groups = GROUPS.map((group) => {
  const listed = entries.filter(({ name }) => group.names?.includes(name));
  const members = [...listed, ...group.files.flatMap(declaredIn)].sort((a, b) => a.rank - b.rank);
  const isAlias = ({ comment }) => comment.startsWith("Another name of ");
  return {
    ...group,
    entries: members.filter((entry) => !isAlias(entry)),
    aliases: members.filter(isAlias),
  };
}).filter((group) => group.entries.length > 0);
const slugs = assignSlugs();
const { typeText, linkedType, parametersText } = createTypeWriter(checker, slugs);
const texts = renderPages();

if (problems.length > 0) fail(problems.join("\n"));
const stale = new Set([
  ...readdirSync(folder).filter((file) => /^authoring.*\.md$/.test(file) && !texts.has(file)),
  ...[...texts.keys()].filter((file) => readPage(file) !== texts.get(file)),
]);
if (process.argv.includes("--check")) {
  if (stale.size > 0) fail(`docs/${[...stale].join(", docs/")}: stale. Run: npm run docs`);
} else {
  for (const file of stale) {
    if (texts.has(file)) writeFileSync(join(folder, file), texts.get(file));
    else rmSync(join(folder, file));
  }
}

function readPage(file) {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** What a file declares, without the names that a chapter lists. */
function declaredIn(file) {
  return entries.filter(
    (entry) => entry.file === file && !GROUPS.some(({ names }) => names?.includes(entry.name)),
  );
}

/** What the entry exports, without the quiet names, in the order of declaration. */
function publicEntries() {
  const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, "src/index.ts")));
  const known = new Set(GROUPS.flatMap(({ files }) => files));
  return checker
    .getExportsOfModule(module)
    .map((exported) =>
      exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
    )
    .map((symbol) => {
      const declarations = symbol.declarations.filter((node) => !ts.isModuleDeclaration(node));
      const declaration = declarations.find(ts.isVariableDeclaration) ?? declarations[0];
      const file = basename(declaration.getSourceFile().fileName, ".ts");
      const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
      const isQuiet = symbol.getJsDocTags().some((tag) => QUIET.has(tag.name));
      return {
        name: symbol.name,
        symbol,
        declaration,
        file,
        comment,
        isQuiet,
        rank: rankOf(declaration),
      };
    })
    .filter((entry) => {
      if (entry.isQuiet) {
        quietNames.add(entry.name);
        return false;
      }
      if (entry.comment === "" && entry.symbol.getJsDocTags().length === 0)
        problems.push(`${entry.file}.ts: ${entry.name} has no doc comment`);
      if (!known.has(entry.file))
        problems.push(`${entry.file}.ts: ${entry.name} has no group in .ci/docs-groups.mjs`);
      return true;
    })
    .sort((a, b) => a.declaration.pos - b.declaration.pos);
}

/** What an author calls comes first. */
function rankOf(declaration) {
  const order = [
    ts.isFunctionDeclaration,
    ts.isClassDeclaration,
    (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node),
  ];
  const rank = order.findIndex((matches) => matches(declaration));
  return rank < 0 ? order.length : rank;
}

/**
 * The links to all headings. A Markdown page gives them anchors: a second one of the same text gets
 * a number.
 */
function assignSlugs() {
  const used = new Map();
  const bySubject = new Map();
  const add = (subject, page, heading) => {
    const slug = `${page}.md#${heading
      .toLowerCase()
      .replace(/[^a-z0-9 _-]/g, "")
      .replaceAll(" ", "-")}`;
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    bySubject.set(subject, count === 0 ? slug : `${slug}-${count}`);
  };
  for (const group of groups) {
    add(group, group.page, group.title);
    for (const { name } of group.entries) {
      if (group.isBrief) bySubject.set(name, bySubject.get(group));
      else add(name, group.page, name);
    }
  }
  return bySubject;
}

/** The text of each page, by its file name. */
function renderPages() {
  const pages = new Map([["authoring.md", [INTRODUCTION, groups.map(renderContents).join("\n")]]]);
  for (const name of new Set(groups.map(({ page }) => page)))
    pages.set(`${name}.md`, renderPage(name));
  return new Map(
    [...pages].map(([file, parts]) => [file, `${parts.join("\n\n").replace(/\n{3,}/g, "\n\n")}\n`]),
  );
}

/** A page with one chapter has the title and the text of the chapter. */
function renderPage(name) {
  const chapters = groups.filter(({ page }) => page === name);
  const back = "[All names](authoring.md)";
  const page = PAGES[name];
  return page === undefined
    ? [...chapters.map((chapter) => renderGroup(chapter, 1)), back]
    : [`# ${page.title}`, page.text, ...chapters.map((chapter) => renderGroup(chapter, 2)), back];
}

function renderContents(group) {
  const called = group.entries.filter(({ rank }) => rank < TYPE_RANK);
  const shown = called.length > 0 ? called : group.entries;
  const more = group.entries.length - shown.length;
  if (group.isBrief) return `- **[${group.title}](${slugs.get(group)})**`;
  const names = shown.map(({ name }) => `[\`${name}\`](${slugs.get(name)})`).join(" · ");
  return `- **[${group.title}](${slugs.get(group)})**<br>${names}${more === 0 ? "" : ` · ${more} type${more === 1 ? "" : "s"}`}`;
}

/** @param level of its heading */
function renderGroup(group, level) {
  const example = group.example === undefined ? undefined : exampleOf(root, group.example);
  const also = group.aliases.map(
    ({ name, comment }) => `- \`${name}\`: ${comment.replace(/^Another name of |\.$/g, "")}`,
  );
  const others = also.length === 0 ? undefined : `These names are aliases:\n\n${also.join("\n")}`;
  const described = group.isBrief
    ? [briefTable(group.entries)]
    : group.entries.map((entry) => renderEntry(entry, level + 1));
  return [`${"#".repeat(level)} ${group.title}`, group.text, example, ...described, others]
    .filter(Boolean)
    .join("\n\n");
}

function briefTable(members) {
  return table(
    ["Type", "What it is"],
    members.map(({ name, comment }) => [`\`${name}\``, cell(prose(comment))]),
  );
}

function renderEntry(entry, level) {
  const { declaration, symbol } = entry;
  return [
    `${"#".repeat(level)} ${entry.name}`,
    signatureOf(entry),
    prose(entry.comment),
    ...tagLines(symbol),
    ...bodyOf(declaration),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function signatureOf({ name, declaration }) {
  if (!ts.isFunctionDeclaration(declaration)) return undefined;
  const result = typeText(declaration.type, declaration);
  return `\`${name}(${parametersText(declaration)})${result === "" ? "" : `: ${result}`}\``;
}

/** Paragraphs as the comment has them; names in braces of @link become code. */
function prose(comment) {
  return comment
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\n(?![-*] )/g, " "))
    .join("\n\n");
}

function tagLines(symbol) {
  const tags = symbol.getJsDocTags().map(({ name, text }) => ({
    name,
    text: ts.displayPartsToString(text).replace(/\s+/g, " ").trim(),
  }));
  const inline = tags.flatMap(({ name, text: content }) => {
    const [first, ...thrown] = content.split(/\s@throws\s/);
    return [{ name, text: first }, ...thrown.map((rest) => ({ name: "throws", text: rest }))];
  });
  const lines = inline.map(({ name, text: content }) => {
    if (name === "param") return `- \`${content.replace(/^(\w+)\s*-?\s*/, "$1`: ")}`;
    if (name === "returns") return `- Returns ${content}`;
    if (name === "throws") return `- Throws ${content.replace(/^\{(.+?)\}/, "`$1`")}`;
    return undefined;
  });
  const block = lines.filter(Boolean).join("\n");
  return block === "" ? [] : [block];
}

function bodyOf(declaration) {
  if (ts.isVariableDeclaration(declaration)) return constantBody(declaration);
  if (ts.isClassDeclaration(declaration)) return classBody(declaration);
  if (ts.isInterfaceDeclaration(declaration)) return objectBody(declaration);
  if (ts.isTypeAliasDeclaration(declaration)) return objectBody(declaration);
  return [];
}

function constantBody({ initializer }) {
  const value = ts.isAsExpression(initializer) ? initializer.expression : initializer;
  if (!ts.isObjectLiteralExpression(value)) return [`\`${value.getText().replace(/\s+/g, " ")}\``];
  const members = value.properties.filter(ts.isPropertyAssignment).filter(isShown);
  return [
    members
      .map((member) => `\`${member.name.getText()}: ${member.initializer.getText()}\``)
      .join(" · "),
  ];
}

function classBody(declaration) {
  const visible = declaration.members.filter(
    (member) =>
      member.name !== undefined && !ts.isPrivateIdentifier(member.name) && isShown(member),
  );
  const ownConstructor = declaration.members.find(ts.isConstructorDeclaration);
  const made =
    ownConstructor === undefined || ownConstructor.parameters.length === 0
      ? []
      : [`\`new ${declaration.name.text}(${parametersText(ownConstructor)})\``];
  const methods = visible.filter(
    (member) => ts.isMethodDeclaration(member) && !ts.isComputedPropertyName(member.name),
  );
  const rows = methods.map((method) => {
    const prefix = method.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)
      ? "static "
      : "";
    return [
      `\`${cell(`${prefix}${method.name.getText()}(${parametersText(method)})`)}\``,
      cell(describe(method)),
    ];
  });
  const fields = visible.filter(
    (member) =>
      ts.isPropertyDeclaration(member) &&
      !hasModifier(member, [ts.SyntaxKind.DeclareKeyword, ts.SyntaxKind.OverrideKeyword]),
  );
  return [
    ...made,
    table(["Method", "What it does"], rows),
    memberTable(fields, declaration),
  ].filter(Boolean);
}

/** The members that a type adds itself, and links to the public types whose members it has too. */
function objectBody(declaration) {
  const { members, bases, alternatives } = shapeOf(declaration);
  return [
    alternatives.length > 1
      ? `Possible values: ${alternatives.join(", ")}.`
      : (alternatives[0] ?? ""),
    memberTable(members.filter(isShown), declaration),
    bases.length === 0
      ? ""
      : `This type ${members.length === 0 ? "has" : "also has"} the properties of ${bases.join(" and ")}.`,
  ].filter(Boolean);
}

function shapeOf(node) {
  const shape = { members: [], bases: [], alternatives: [] };
  const include = (other) => {
    shape.members.push(...other.members);
    shape.bases.push(...other.bases);
  };
  const reference = (name, args) => {
    if (slugs.has(name.text))
      return void shape.bases.push(`[\`${name.text}\`](${slugs.get(name.text)})`);
    if (/^(Omit|Pick|Partial|Readonly)$/.test(name.text) && args?.[0] !== undefined)
      return include(shapeOf(args[0]));
    const target = checker.getSymbolAtLocation(name)?.declarations?.[0];
    const found =
      target !== undefined && ts.isImportSpecifier(target)
        ? checker.getAliasedSymbol(checker.getSymbolAtLocation(name)).declarations[0]
        : target;
    if (
      found !== undefined &&
      (ts.isInterfaceDeclaration(found) || ts.isTypeAliasDeclaration(found))
    )
      include(shapeOf(found));
  };
  if (ts.isInterfaceDeclaration(node)) {
    shape.members.push(...node.members);
    for (const { expression, typeArguments } of node.heritageClauses?.flatMap(
      ({ types }) => types,
    ) ?? [])
      reference(expression, typeArguments);
  } else if (ts.isTypeAliasDeclaration(node)) {
    if (ts.isUnionTypeNode(node.type)) {
      const alternatives = node.type.types
        .filter((type) => !quietNames.has(type.getText()))
        .map((type) => linkedType(type, node));
      // The list would be wrong without the alternative that cannot be written.
      if (!alternatives.includes("")) shape.alternatives.push(...alternatives);
    } else if (ts.isFunctionTypeNode(node.type) || ts.isLiteralTypeNode(node.type))
      shape.alternatives.push(linkedType(node.type, node));
    else return shapeOf(node.type);
  } else if (ts.isTypeLiteralNode(node)) shape.members.push(...node.members);
  else if (ts.isIntersectionTypeNode(node)) node.types.map(shapeOf).forEach(include);
  else if (ts.isParenthesizedTypeNode(node)) return shapeOf(node.type);
  else if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName))
    reference(node.typeName, node.typeArguments);
  return shape;
}

function hasModifier(member, kinds) {
  return member.modifiers?.some(({ kind }) => kinds.includes(kind)) ?? false;
}

function memberTable(members, owner) {
  const named = members.filter((member) => member.name !== undefined);
  return table(
    ["Member", "Type", "What it is"],
    named.map((member) => {
      const isOptional = member.questionToken !== undefined;
      const type = ts.isMethodSignature(member)
        ? `\`${cell(`(${parametersText(member, owner)}) => ${typeText(member.type, owner)}`)}\``
        : member.type === undefined
          ? ""
          : cell(linkedType(member.type, owner, isOptional));
      return [
        `\`${member.name.getText()}\`${isOptional ? "" : " *"}`,
        type,
        cell(describe(member)),
      ];
    }),
  );
}

function describe(member) {
  const comment = prose(commentOf(member));
  const fallback = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === "default");
  const value = fallback === undefined ? "" : ts.getTextOfJSDocComment(fallback.comment)?.trim();
  if (!value) return comment;
  return `${comment} Default: ${/^["\d[{]|^(true|false)$/.test(value) ? `\`${value}\`` : value.replace(/\.$/, "")}.`.trim();
}

function isShown(member) {
  return !ts.getJSDocTags(member).some(({ tagName }) => QUIET.has(tagName.text));
}

function commentOf(node) {
  return ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
    .join("\n\n")
    .trim();
}

function table(head, rows) {
  if (rows.length === 0) return "";
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function cell(content) {
  return content.replace(/\s*\n+\s*/g, " ").replace(/(?<!\\)\|/g, "\\|");
}
