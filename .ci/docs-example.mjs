// Cuts an example out of a real Pack, with the imports and constants that it needs, so that the
// fence compiles on its own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-5.9";

/** @returns the statements of `file` that contain one of `parts`, as a fence */
export function exampleOf(root, { file, parts }) {
  const text = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const wanted = new Set();
  const take = (statement) => {
    if (wanted.has(statement)) return;
    wanted.add(statement);
    for (const name of identifiersOf(statement)) {
      const declaring = source.statements.find(
        (other) => !ts.isImportDeclaration(other) && declaredBy(other).includes(name),
      );
      if (declaring !== undefined) take(declaring);
    }
  };
  for (const part of parts) {
    const statement = source.statements.find((candidate) => candidate.getText().includes(part));
    if (statement === undefined) throw new Error(`${file} has no statement with ${part}`);
    take(statement);
  }
  const used = new Set([...wanted].flatMap(identifiersOf));
  const imports = source.statements
    .filter(ts.isImportDeclaration)
    .flatMap((statement) => writeImport(statement, used));
  const body = source.statements
    .filter((statement) => wanted.has(statement))
    .map((statement) => text.slice(startOf(statement, text), statement.end));
  return `\`\`\`ts\n${[imports.join("\n"), ...body].join("\n\n")}\n\`\`\``;
}

function startOf(statement, text) {
  const comments = ts.getLeadingCommentRanges(text, statement.pos) ?? [];
  return comments[0]?.pos ?? statement.getStart();
}

function identifiersOf(node) {
  const names = [];
  const visit = (child) => {
    if (ts.isIdentifier(child)) names.push(child.text);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return names;
}

function declaredBy(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  return statement.name === undefined ? [] : [statement.name.text];
}

function writeImport({ importClause, moduleSpecifier }, used) {
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return [];
  if (ts.isNamespaceImport(bindings))
    return used.has(bindings.name.text)
      ? [`import * as ${bindings.name.text} from ${moduleSpecifier.getText()};`]
      : [];
  const names = bindings.elements
    .filter(({ name }) => used.has(name.text))
    .map((element) => element.getText());
  if (names.length === 0) return [];
  const line = `import { ${names.join(", ")} } from ${moduleSpecifier.getText()};`;
  return [
    line.length <= 110
      ? line
      : `import {\n  ${names.join(",\n  ")},\n} from ${moduleSpecifier.getText()};`,
  ];
}
