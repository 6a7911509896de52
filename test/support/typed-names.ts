import ts from "typescript-5.9";

/**
 * A name that an author can hover: an export, a member of one, or a member of an object in a
 * signature.
 */
export interface TypedName {
  /** What an editor shows as its text, without tags. */
  text: string;
  /**
   * It, or what it is a member of, is deprecated or internal: editors offer it last, or not at all.
   */
  isQuiet: boolean;
  /** Its tags. */
  tags: readonly ts.JSDocTagInfo[];
}

const QUIET_TAGS = new Set(["deprecated", "hidden", "ignore", "internal"]);

/**
 * What a module exports, by paths of names such as `FetchRequest.url` and
 * `TemporaryBlobStorage.storeUrl(options).expiryMs`.
 */
export function typedNames(program: ts.Program, file: string): Map<string, TypedName> {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (source === undefined || module === undefined) throw new Error(`${file} is not a module.`);
  const folder = file.replace(/[^/]+$/, "");
  const found = new Map<string, TypedName>();
  const exported = checker
    .getExportsOfModule(module)
    .map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    )
    .filter(isOwn);
  const named = new Set(exported);
  for (const symbol of exported) {
    const isQuiet = add(symbol.name, symbol, false);
    if (symbol.flags & ts.SymbolFlags.Type)
      addMembers(checker.getDeclaredTypeOfSymbol(symbol), symbol.name, isQuiet, []);
    if (symbol.flags & ts.SymbolFlags.Value)
      addMembers(checker.getTypeOfSymbol(symbol), symbol.name, isQuiet, []);
  }
  return found;

  function isOwn(symbol: ts.Symbol): boolean {
    return (
      symbol.declarations?.some((node) => node.getSourceFile().fileName.startsWith(folder)) ?? false
    );
  }

  /** @returns whether the name is quiet */
  function add(path: string, symbol: ts.Symbol, isMemberOfQuiet: boolean): boolean {
    const known = found.get(path);
    const text =
      known?.text || ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
    const tags = [...(known?.tags ?? []), ...symbol.getJsDocTags(checker)];
    const isQuiet = isMemberOfQuiet || tags.some(({ name }) => QUIET_TAGS.has(name));
    found.set(path, { text, tags, isQuiet });
    return isQuiet;
  }

  function addMembers(
    type: ts.Type,
    path: string,
    isQuiet: boolean,
    above: readonly ts.Type[],
  ): void {
    // Deeper members are those of types that have a name.
    if (above.includes(type) || above.length > 3) return;
    const inside = [...above, type];
    const visit = (other: ts.Type, otherPath: string, otherIsQuiet: boolean) => {
      if (!hasOwnEntry(other)) addMembers(other, otherPath, otherIsQuiet, inside);
    };
    const isList = checker.isArrayType(type) || checker.isTupleType(type);
    const parts = type.isUnion()
      ? type.types
      : isList
        ? checker.getTypeArguments(type as ts.TypeReference)
        : [];
    for (const part of parts) visit(part, path, isQuiet);
    if (
      type.isUnion() ||
      isList ||
      !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))
    )
      return;
    for (const { parameters } of type.getCallSignatures())
      for (const parameter of parameters)
        visit(checker.getTypeOfSymbol(parameter), `${path}(${parameter.name})`, isQuiet);
    for (const member of checker.getPropertiesOfType(type)) {
      if (!isOwn(member) || member.name === "prototype" || /^(?:__[@#]|#)/.test(member.name))
        continue;
      const memberPath = `${path}.${member.name}`;
      visit(checker.getTypeOfSymbol(member), memberPath, add(memberPath, member, isQuiet));
    }
  }

  function hasOwnEntry(type: ts.Type): boolean {
    const own = ts.SymbolFlags.Enum | ts.SymbolFlags.EnumMember | ts.SymbolFlags.Class;
    return [type.aliasSymbol, type.symbol].some(
      (symbol) => symbol !== undefined && (named.has(symbol) || (symbol.flags & own) !== 0),
    );
  }
}
