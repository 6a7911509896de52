import type { SourcePlace } from "../errors.ts";
import { isRecord, memoize, toList } from "../shared/values.ts";
import type { SourceFile } from "./issue.ts";
import type { Path } from "./report.ts";
import {
  calleeName,
  isNode,
  type Located,
  nodesIn,
  parseModules,
  type SourceModule,
} from "./source-module.ts";
import {
  DYNAMIC_OPTIONS,
  type Found,
  findChild,
  findText,
  followReferences,
  listArguments,
} from "./syntax.ts";

/** The place of a path, or the nearest place before it. */
export interface Location extends Found {
  isExact: boolean;
}

/** Finds where parts of a definition were written. */
export interface Locator {
  /** Where a path was written; the beginning of the entry file when no part of it is found. */
  position(path: Path): SourcePlace | undefined;
  /** The syntax of a path, for fixes. */
  find(path: Path): Location | undefined;
}

/**
 * Finds where a path of the definition was written: the builder's call, then the members of the
 * object given to it, through
 * constants, spreads, small functions and the Pack's other files. Where this is not possible, it
 * returns the nearest place
 * before, and at last the `pack` export. The sources are parsed on the first call.
 */
export function createLocator(definition: unknown, sources: readonly SourceFile[]): Locator {
  // Without sources there is nothing to find, and no reason to load a parser.
  if (sources.length === 0) return { find: () => undefined, position: () => undefined };
  let finder: ((path: Path) => Location | undefined) | undefined;
  const find = (path: Path): Location | undefined => {
    try {
      finder ??= createFinder(definition, parseModules(sources));
      return finder(path);
    } catch {
      // When the parser or the recursion fails on a source, its issues lose their positions,
      // nothing else.
      finder ??= () => undefined;
      return undefined;
    }
  };
  const position = (path: Path): SourcePlace | undefined => {
    const found = find(path);
    const [entry] = sources;
    if (found === undefined)
      return entry === undefined ? undefined : { file: entry.path, line: 1, column: 1 };
    return positionIn(found.place);
  };
  return { find, position };
}

/** The node where a path begins. */
interface Root {
  found: Found;
  /** How many keys of the path it covers. */
  depth: number;
  /** The node is only the call that the value comes from. */
  isCall?: boolean | undefined;
}

function createFinder(
  definition: unknown,
  modules: readonly SourceModule[],
): (path: Path) => Location | undefined {
  const callsOf = memoize((member: string) => callsIn(modules, BUILDER_METHODS[member] ?? []));
  const wholePacks = callsIn(modules, ["newPack", "newAgent"]);
  const blocksOf = memoize((member: string) => blocksIn(definition, member, callsOf(member)));
  const domainsOf = memoize(() => argumentsIn(callsOf("networkDomains")));
  const exported = modules.find(({ packExport }) => packExport !== undefined);

  const findRoot = (path: Path): Root | undefined => {
    const [member, index] = path;
    if (typeof member !== "string") return undefined;
    for (const call of wholePacks) {
      const inPack = findChild(findArgument(call) ?? call, member);
      if (inPack !== undefined) return { found: inPack, depth: 1 };
    }
    const calls = callsOf(member);
    if (member === "networkDomains") {
      const argument = typeof index === "number" ? domainsOf("")[index] : undefined;
      const place = argument ?? calls[0];
      return place === undefined
        ? undefined
        : { found: { place, value: place }, depth: 2, isCall: argument === undefined };
    }
    const isList = isRecord(definition) && Array.isArray(definition[member]);
    const call = !isList
      ? calls.at(-1)
      : typeof index === "number"
        ? blocksOf(member)[index]
        : calls[0];
    if (call === undefined) return undefined;
    return { found: { place: call, value: findArgument(call) ?? call }, depth: isList ? 2 : 1 };
  };

  /**
   * The place of a path, or the nearest one before it, and how many keys are missing from there.
   */
  const reach = (path: Path): { location: Location; missing: number } | undefined => {
    const root = findRoot(path);
    if (root === undefined) return undefined;
    let at = root.found;
    if (root.isCall === true) return { location: { ...at, isExact: false }, missing: path.length };
    for (let depth = root.depth; depth < path.length; depth++) {
      const next = findChild(at.value, path[depth] as string | number);
      if (next === undefined)
        return { location: { ...at, isExact: false }, missing: path.length - depth };
      at = next;
    }
    return { location: { ...at, isExact: true }, missing: 0 };
  };

  return (path) => {
    let nearest: ReturnType<typeof reach>;
    for (const written of writtenPaths(path)) {
      const reached = reach(written);
      if (reached !== undefined && reached.missing < (nearest?.missing ?? Number.POSITIVE_INFINITY))
        nearest = reached;
    }
    const node = exported?.packExport;
    if (nearest !== undefined || exported === undefined || node === undefined)
      return nearest?.location;
    const place = { node, module: exported, isShared: false };
    return { place, value: place, isExact: false };
  };
}

/** Calls of methods in all files, those of one file in the order of its text. */
function callsIn(modules: readonly SourceModule[], names: readonly string[]): Located[] {
  return modules.flatMap((module) =>
    names
      .flatMap((name) => module.calls.get(name) ?? [])
      .sort((a, b) => getOffset(a) - getOffset(b))
      .map((node) => ({ node, module, isShared: false })),
  );
}

/** The arguments of all calls, up to a spread whose elements are not known. */
function argumentsIn(calls: readonly Located[]): Located[] {
  const list: Located[] = [];
  for (const call of calls) {
    for (const node of listArguments(call.node)) {
      if (node.type !== "SpreadElement") {
        list.push({ ...call, node });
        continue;
      }
      const { node: spread, ...where } = isNode(node["argument"])
        ? followReferences({ ...call, node: node["argument"] })
        : call;
      const elements = spread.type === "ArrayExpression" ? nodesIn(spread["elements"]) : [];
      if (elements.length === 0 || elements.some(({ type }) => type === "SpreadElement"))
        return list;
      list.push(...elements.map((element) => ({ ...where, node: element, isShared: true })));
    }
  }
  return list;
}

/**
 * For each entry of a list, such as the formulas, the call that added it: the one with its name,
 * else the only possible one.
 */
function blocksIn(
  definition: unknown,
  member: string,
  calls: readonly Located[],
): (Located | undefined)[] {
  const byName = new Map<string | undefined, Located[]>();
  for (const call of calls) {
    const name = nameGivenTo(call);
    byName.set(name, [...(byName.get(name) ?? []), call]);
  }
  const blocks = toList(isRecord(definition) ? definition[member] : []);
  const unnamed = byName.get(undefined) ?? [];
  const seen = new Map<unknown, number>();
  return blocks.map((block, index) => {
    const name = isRecord(block) && typeof block["name"] === "string" ? block["name"] : undefined;
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    const named = name === undefined ? [] : (byName.get(name) ?? []);
    return (
      named[before] ??
      named.at(-1) ??
      (calls.length === blocks.length
        ? calls[index]
        : unnamed.length === 1
          ? unnamed[0]
          : undefined)
    );
  });
}

function nameGivenTo(call: Located): string | undefined {
  const argument = findArgument(call);
  const value = argument === undefined ? undefined : findChild(argument, "name")?.value;
  return value === undefined ? undefined : findText(followReferences(value).node);
}

function findArgument(call: Located): Located | undefined {
  const [node] = listArguments(call.node);
  return node === undefined ? undefined : { ...call, node };
}

/** A call in a chain begins where the chain begins; the name of its method is the place to show. */
function getOffset(node: Located["node"]): number {
  return (node.type === "CallExpression" ? calleeName(node) : undefined)?.start ?? node.start;
}

/** Where an expression begins. */
function positionIn({ node, module }: Located): SourcePlace {
  return positionAt(module, getOffset(node));
}

/** The line and column of an offset. */
export function positionAt({ path, text }: SourceFile, offset: number): SourcePlace {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  // A byte order mark is not a character of the first line.
  const mark = lineStart === 0 && text.startsWith("\uFEFF") ? 1 : 0;
  return { file: path, line: before.split("\n").length, column: offset - lineStart + 1 - mark };
}

/** The builder methods whose calls fill each member of a definition. */
const BUILDER_METHODS: Readonly<Record<string, readonly string[]>> = {
  version: ["setVersion"],
  defaultAuthentication: ["setUserAuthentication"],
  systemConnectionAuthentication: ["setSystemAuthentication"],
  adminAuthentications: ["addAdminAuthentication"],
  networkDomains: ["addNetworkDomain"],
  formulas: ["addFormula"],
  syncTables: ["addSyncTable", "addDynamicSyncTable"],
  formats: ["addColumnFormat"],
  skills: ["addSkill"],
  mcpServers: ["addMCPServer"],
  chatSkill: ["setChatSkill"],
  benchInitializationSkill: ["setBenchInitializationSkill"],
  skillEntrypoints: ["setSkillEntrypoints"],
  suggestedPrompts: ["addSuggestedPrompt"],
  agent: ["setInstructions", "setTools"],
  defaultTriggers: ["setDefaultWhileWritingTrigger", "setDefaultScheduleTrigger"],
};

/**
 * Where an author may have written the value at a path of the definition, the likeliest place
 * first. The builder renames a
 * table's `formula` to `getter`, flattens its `dynamicOptions` and sets the schema's identity from
 * its `identityName`.
 */
function writtenPaths(path: Path): Path[] {
  const [member, index, key, ...rest] = path;
  if (member !== "syncTables" || index === undefined || key === undefined) return [path];
  const table = [member, index];
  if (key === "getter") return [[...table, "formula", ...rest], path];
  if (key === "schema") {
    const isIdentity = rest.length === 2 && rest[0] === "identity" && rest[1] === "name";
    return [
      path,
      [...table, "placeholderSchema", ...rest],
      ...(isIdentity ? [[...table, "identityName"]] : []),
    ];
  }
  // An unknown key may come from dynamicOptions too.
  const inOptions = [...table, "dynamicOptions", key, ...rest];
  return DYNAMIC_OPTIONS.includes(String(key)) ? [inOptions, path] : [path, inOptions];
}
