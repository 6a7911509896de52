// Lists every small change that the operators below can make in a source file. A change is a
// mutant: { file, start, end, text, operator }, with offsets in the file.
import { parseSync, Visitor } from "oxc-parser";

const COMPARISONS = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
};
const LOGIC = { "&&": "||", "||": "&&" };
const METHODS = {
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  min: "max",
  max: "min",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
};
/** Calls that return what they were called on, changed: without them, it is not changed. */
const STEPS = new Set(["filter", "sort", "reverse", "trim", "toLowerCase", "toUpperCase", "slice"]);
/** A larger number is a limit or a time, which tests replace rather than reach. */
const LARGEST_NUMBER = 64;
/** What these members say is for people. Tests compare codes, not sentences. */
const SENTENCES = new Set(["message", "hint", "summary", "description", "title", "label"]);

/** @returns the mutants of one file, in the order of their places */
export function listMutants(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const mutants = [];
  const skipped = [];
  const add = (operator, { start, end }, text) => {
    if (skipped.every((range) => start < range.start || end > range.end))
      mutants.push({ file, operator, start, end, text });
  };
  const textAt = ({ start, end }) => source.slice(start, end);
  /** @returns the text between two nodes, where their operator is */
  const between = (left, right, operator) => {
    const start = source.indexOf(operator, left.end);
    return start < right.start ? { start, end: start + operator.length } : undefined;
  };
  const skip = (node) => skipped.push({ start: node.start, end: node.end });
  /** A comparison is negated by its operator. */
  const negate = (test) => {
    if (COMPARISONS[test.operator] === undefined)
      add("negate a condition", test, `!(${textAt(test)})`);
  };
  const replaceOperator = (name, table) => (node) => {
    const next = table[node.operator];
    const place = next && !hasText(node) && between(node.left, node.right, node.operator);
    if (place) add(name, place, next);
  };

  new Visitor({
    TSInterfaceDeclaration: skip,
    TSTypeAliasDeclaration: skip,
    TSTypeAnnotation: skip,
    TSTypeParameterInstantiation: skip,
    TSTypeParameterDeclaration: skip,
    TSAsExpression: (node) => skip(node.typeAnnotation),
    TSSatisfiesExpression: (node) => skip(node.typeAnnotation),
    ImportDeclaration: skip,
    ExportAllDeclaration: skip,
    ExportNamedDeclaration: (node) => node.source && skip(node),
    Property(node) {
      if (!node.computed) skip(node.key);
      if (SENTENCES.has(node.key.name)) skip(node.value);
    },
    IfStatement(node) {
      negate(node.test);
      if (node.alternate === null && isExit(node.consequent)) add("drop a guard", node, ";");
    },
    ConditionalExpression: (node) => negate(node.test),
    WhileStatement: (node) => add("never loop", node.test, "false"),
    BinaryExpression: replaceOperator("change an operator", COMPARISONS),
    LogicalExpression: replaceOperator("and or or", LOGIC),
    ExpressionStatement(node) {
      if (node.directive) return;
      add("drop a statement", node, ";");
      if (node.expression.type === "AwaitExpression")
        add("drop an await", node.expression, textAt(node.expression.argument));
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.computed || node.optional) return;
      const next = METHODS[callee.property.name];
      if (next !== undefined) add("change a method", callee.property, next);
      if (STEPS.has(callee.property.name) && !callee.optional)
        add("drop a step", { start: callee.object.end, end: node.end }, "");
    },
    Literal(node) {
      const { value } = node;
      if (typeof value === "boolean") add("flip a boolean", node, String(!value));
      else if (typeof value === "number" && Number.isInteger(value) && value < LARGEST_NUMBER)
        add("add one", node, String(value + 1));
      // A text of several words is for people.
      else if (typeof value === "string" && value !== "" && !value.includes(" "))
        add("empty a text", node, '""');
    },
  }).visit(program);
  // A type is known after the parts in front of it were added.
  return mutants
    .filter(({ start, end }) => skipped.every((range) => start < range.start || end > range.end))
    .sort((one, other) => one.start - other.start);
}

/** Whether a plus joins texts: a minus there is found by the compiler. */
function hasText({ operator, left, right }) {
  if (operator !== "+") return false;
  return [left, right].some(
    (side) =>
      side.type === "TemplateLiteral" ||
      (side.type === "Literal" && typeof side.value === "string") ||
      (side.type === "BinaryExpression" && hasText(side)),
  );
}

/** Whether a statement leaves its function or its turn of a loop. */
function isExit(statement) {
  const last = statement.type === "BlockStatement" ? statement.body.at(-1) : statement;
  return /^(Return|Throw|Continue|Break)Statement$/.test(last?.type ?? "");
}
