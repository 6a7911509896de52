import { removal } from "./fixes.ts";
import type { Issue, SourceEdit, SourceFile } from "./issue.ts";
import { currentForms, type LegacyFactory, legacyFactories } from "./legacy-rewrites.ts";
import { positionAt } from "./positions.ts";
import {
  isNode,
  nameIn,
  nodesIn,
  parseModules,
  type SourceModule,
  type SyntaxNode,
  visit,
} from "./source-module.ts";

/** The names that Packs import this package by. */
const OWN_SPECIFIER = /^(packsmith|@codahq\/packs-sdk)(\/dist\/.+)?$/;
const ANY_FACTORY = new RegExp(`\\b(?:${Object.keys(legacyFactories).join("|")})\\b`);

/**
 * Finds deprecated factories in a Pack's sources, each with a fix where the rewrite is certain.
 * Never throws.
 */
export function findLegacyCalls(sources: readonly SourceFile[]): Issue[] {
  // Parsing costs more than reading: most Packs have none of these names.
  const candidates = sources.filter(({ text }) => ANY_FACTORY.test(text));
  if (candidates.length === 0) return [];
  try {
    const paths = new Set(candidates.map(({ path }) => path));
    return parseModules(sources)
      .filter(({ path }) => paths.has(path))
      .flatMap((module) => issuesIn(module));
  } catch {
    return [];
  }
}

/** What a module imports of this package. */
interface OwnImports {
  declarations: SyntaxNode[];
  /** Legacy factories by local name, with the import specifier. */
  factories: Map<string, { name: LegacyFactory; specifier: SyntaxNode; declaration: SyntaxNode }>;
  /** Local names of `import * as …`. */
  namespaces: Set<string>;
  /** Local names by imported name. */
  names: Map<string, string>;
}

function issuesIn(module: SourceModule): Issue[] {
  const own = ownImports(module);
  const issues: Issue[] = [];
  const used = new Set<string>();
  visit(module.program, (node, parent) => {
    const factory = factoryAt(node, parent, own);
    if (factory === undefined) return;
    if (node.type === "Identifier") used.add(String(node["name"]));
    const call =
      parent?.type === "CallExpression" && parent["callee"] === node ? parent : undefined;
    issues.push(
      createIssue(
        factory,
        node,
        call === undefined ? undefined : createEdits(factory, call, module, own),
        module,
      ),
    );
  });
  for (const [local, { name, specifier, declaration }] of own.factories) {
    if (used.has(local)) continue;
    const edits = [
      nodesIn(declaration["specifiers"]).length > 1
        ? removal(module, specifier)
        : withoutLine(module, declaration),
    ];
    issues.push({
      ...createIssue(name, specifier, edits, module),
      message: `${name} is imported but not used.`,
      hint: "Remove the import.",
    });
  }
  return issues;
}

function ownImports(module: SourceModule): OwnImports {
  const own: OwnImports = {
    declarations: [],
    factories: new Map(),
    namespaces: new Set(),
    names: new Map(),
  };
  for (const declaration of nodesIn(module.program["body"])) {
    if (declaration.type !== "ImportDeclaration" || declaration["importKind"] === "type") continue;
    if (!OWN_SPECIFIER.test(readSpecifier(declaration))) continue;
    own.declarations.push(declaration);
    for (const specifier of nodesIn(declaration["specifiers"])) {
      const local = nameIn(specifier["local"]);
      const name = nameIn(specifier["imported"]);
      if (local === undefined || specifier["importKind"] === "type") continue;
      if (specifier.type === "ImportNamespaceSpecifier") own.namespaces.add(local);
      else if (name !== undefined && isFactory(name))
        own.factories.set(local, { name, specifier, declaration });
      else if (name !== undefined) own.names.set(name, local);
    }
  }
  return own;
}

/** The factory that a node uses. */
function factoryAt(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  own: OwnImports,
): LegacyFactory | undefined {
  if (node.type === "MemberExpression" && node["computed"] !== true) {
    const name = nameIn(node["property"]);
    const object =
      isNode(node["object"]) && node["object"].type === "Identifier"
        ? nameIn(node["object"])
        : undefined;
    return name !== undefined &&
      object !== undefined &&
      own.namespaces.has(object) &&
      isFactory(name)
      ? name
      : undefined;
  }
  if (node.type !== "Identifier" || parent?.type === "ImportSpecifier") return undefined;
  const isName =
    (parent?.type === "MemberExpression" && parent["property"] === node) ||
    (parent?.type === "Property" && parent["key"] === node);
  return isName ? undefined : own.factories.get(String(node["name"]))?.name;
}

function createEdits(
  factory: LegacyFactory,
  call: SyntaxNode,
  module: SourceModule,
  own: OwnImports,
): SourceEdit[] | undefined {
  const callee = call["callee"] as SyntaxNode;
  const namespace = callee.type === "MemberExpression" ? nameIn(callee["object"]) : undefined;
  const missing = new Set<string>();
  const named = (name: string): string => {
    if (namespace !== undefined) return `${namespace}.${name}`;
    const local = own.names.get(name);
    if (local === undefined) missing.add(name);
    return local ?? name;
  };
  const edits = legacyFactories[factory](call, module, named);
  // A name that the file already uses for something else cannot be imported.
  if (
    edits === undefined ||
    [...missing].some((name) => module.constants.has(name) || module.imports.has(name))
  )
    return undefined;
  return missing.size === 0 ? edits : [importing([...missing].sort(byWord), module, own), ...edits];
}

/** Ignoring case, as import sorters do. */
const byWord = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);

/**
 * The edit that imports more names: in an existing import, else in a new one before the import of
 * the old entry.
 */
function importing(
  names: readonly string[],
  module: SourceModule,
  { declarations }: OwnImports,
): SourceEdit {
  const current = declarations.find(
    (declaration) =>
      !readSpecifier(declaration).includes("/dist/") && named(declaration).length > 0,
  );
  const last = current === undefined ? undefined : named(current).at(-1);
  if (last !== undefined)
    return { file: module.path, start: last.end, end: last.end, text: `, ${names.join(", ")}` };
  // The file imports at least the factory.
  const [first] = declarations as [SyntaxNode];
  const from = readSpecifier(first).replace(/\/dist\/.+$/, "");
  return {
    file: module.path,
    start: first.start,
    end: first.start,
    text: `import { ${names.join(", ")} } from "${from}";\n`,
  };
}

const named = (declaration: SyntaxNode): SyntaxNode[] =>
  nodesIn(declaration["specifiers"]).filter(({ type }) => type === "ImportSpecifier");

function createIssue(
  factory: LegacyFactory,
  node: SyntaxNode,
  edits: SourceEdit[] | undefined,
  module: SourceModule,
): Issue {
  const current = currentForms[factory];
  return {
    code: "DEPRECATED_FACTORY",
    severity: "warning",
    message: `${factory} is deprecated; ${current.name} replaces it.`,
    path: "",
    ...positionAt(module, node.start),
    hint: `Write ${current.form}.`,
    ...(edits === undefined
      ? {}
      : { fix: { description: `Replace ${factory} with ${current.name}.`, edits } }),
  };
}

function withoutLine({ path, text }: SourceFile, { start, end }: SyntaxNode): SourceEdit {
  return {
    file: path,
    start,
    end: end + (/^[^\S\n]*\n?/.exec(text.slice(end))?.[0].length ?? 0),
    text: "",
  };
}

function readSpecifier(declaration: SyntaxNode): string {
  return nameIn(declaration["source"]) ?? "";
}

function isFactory(name: string): name is LegacyFactory {
  return Object.hasOwn(legacyFactories, name);
}
