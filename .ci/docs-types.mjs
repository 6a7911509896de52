// Types as a reader wants them: without type parameters, `readonly` and `| undefined`, which say
// nothing that the page does not.
import ts from "typescript-5.9";

/** @param slugs public name → link to its heading */
export function createTypeWriter(checker, slugs) {
  /** The type parameters that are in force at a node, by name. */
  function parametersInForce(owner, names = new Map()) {
    for (let node = owner; node !== undefined; node = node.parent) {
      for (const parameter of node.typeParameters ?? [])
        if (!names.has(parameter.name.text)) names.set(parameter.name.text, parameter);
    }
    return names;
  }

  function mentions(node, names) {
    if (ts.isIdentifier(node) && names.has(node.text)) return true;
    return ts.forEachChild(node, (child) => mentions(child, names)) ?? false;
  }

  function write(node, names) {
    if (node === undefined) return "";
    if (ts.isParenthesizedTypeNode(node)) {
      const inner = write(node.type, names);
      return /[|&]|=>/.test(inner) ? `(${inner})` : inner;
    }
    if (ts.isTypeOperatorNode(node))
      return node.operator === ts.SyntaxKind.ReadonlyKeyword ? write(node.type, names) : "";
    if (ts.isUnionTypeNode(node))
      return [...new Set(node.types.map((type) => write(type, names)).filter(Boolean))].join(" | ");
    // `Definition & Checks`: the checks are machinery.
    if (ts.isIntersectionTypeNode(node))
      return node.types.map((type) => write(type, names)).find(Boolean) ?? "";
    if (ts.isArrayTypeNode(node)) {
      const element = write(node.elementType, names);
      return element === "" ? "" : `${element}[]`;
    }
    if (ts.isTypeReferenceNode(node)) return writeReference(node, names);
    if (ts.isFunctionTypeNode(node))
      return `(${writeParameters(node, names)}) => ${write(node.type, names) || "result"}`;
    if (
      ts.isConditionalTypeNode(node) ||
      ts.isMappedTypeNode(node) ||
      ts.isIndexedAccessTypeNode(node)
    )
      return "";
    if (ts.isTypePredicateNode(node)) return node.getText();
    return mentions(node, names) ? "" : clean(node.getText());
  }

  function writeReference(node, names) {
    const name = node.typeName.getText();
    const args = node.typeArguments ?? [];
    const parameter = names.get(name);
    if (parameter !== undefined) {
      // A plain parameter such as `Row` says which types agree; one with a constraint stands for
      // it.
      const isPlain =
        parameter.default !== undefined || parameter.parent.typeParameters?.length === 1;
      if (parameter.constraint === undefined) return isPlain ? name : "";
      return write(parameter.constraint, new Map([...names].filter(([key]) => key !== name)));
    }
    if (name === "MaybePromise") {
      const value = write(args[0], names);
      return value === "" ? "" : `${value} | Promise<${value}>`;
    }
    if (isPrivate(node)) return args.length === 0 ? writePrivate(node) : "";
    // `Arguments<Params>` says no more than `Arguments`.
    const written = args.map((arg) =>
      names.get(arg.getText())?.constraint === undefined ? write(arg, names) : "",
    );
    if (args.length === 0 || written.includes("")) return name;
    return `${name}<${written.join(", ")}>`;
  }

  /** One of ours that the page does not describe; a name that belongs to the language is not. */
  function isPrivate(node) {
    if (slugs.has(node.typeName.getText())) return false;
    const declaration = declarationOf(node);
    return declaration !== undefined && !declaration.getSourceFile().isDeclarationFile;
  }

  function declarationOf({ typeName }) {
    const symbol = checker.getSymbolAtLocation(typeName);
    const target =
      symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias
        ? checker.getAliasedSymbol(symbol)
        : symbol;
    return target?.declarations?.find((declaration) => !ts.isModuleDeclaration(declaration));
  }

  function writePrivate(node) {
    const declaration = declarationOf(node);
    return ts.isTypeAliasDeclaration(declaration) ? write(declaration.type, new Map()) : "";
  }

  function writeParameters(signature, names) {
    return signature.parameters
      .map((parameter, index) => {
        const isOptional =
          parameter.questionToken !== undefined || parameter.initializer !== undefined;
        const rest = parameter.dotDotDotToken === undefined ? "" : "...";
        const name = ts.isIdentifier(parameter.name)
          ? parameter.name.text
          : index === 0
            ? "options"
            : `argument${index + 1}`;
        const type = write(parameter.type, names).replace(/ \| undefined$/, "");
        return `${rest}${name}${isOptional ? "?" : ""}${type === "" ? "" : `: ${type}`}`;
      })
      .join(", ");
  }

  const typeText = (node, owner) => write(node, parametersInForce(owner));
  return {
    typeText,
    parametersText: (signature, owner) =>
      writeParameters(signature, parametersInForce(signature, parametersInForce(owner))),
    /** Code, as a link when it is a public name or a list of one. */
    linkedType(node, owner, isOptional = false) {
      const whole = typeText(node, owner);
      const text = (isOptional ? whole.replace(/(^| \| )undefined$/, "") : whole).replace(
        /^\((\(.*\) => [^()]*(?:\([^()]*\))?[^()]*)\)$/,
        "$1",
      );
      if (text === "") return "";
      const slug = slugs.get(text.replace(/\[\]$/, ""));
      return slug === undefined ? `\`${text}\`` : `[\`${text}\`](${slug})`;
    },
  };
}

function clean(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\breadonly /g, "")
    .replace(/(\?: [^;}]*?) \| undefined/g, "$1")
    .replace(/\s+/g, " ")
    .replaceAll(" ;", ";")
    .replaceAll("; }", " }")
    .trim();
}
