import { relative, sep } from "node:path";
import { commonFolder } from "../shared/folders.ts";
import { projectRoot } from "../shared/project-boundary.ts";
import { cleanName, findPackName, type PackName, SOURCE_FOLDERS } from "./pack-name.ts";

/**
 * The names of Packs that are built together. Where files or folders give several Packs one name,
 * each gets as many folders above it in front as make it unique: `sales-tasks`. A name that a
 * package.json gives stays as it is, unless only its scope makes it unique: `acme-tasks`.
 * @param entries absolute paths
 * @returns a name for each entry; those that nothing distinguishes have the same one
 */
export function packNames(entries: readonly string[]): Map<string, string> {
  // Sorted, so that the order of the entries does not matter.
  const packs = [...new Set(entries)].sort().map((entry) => ({ entry, ...findPackName(entry) }));
  const names = new Map(packs.map(({ entry, name }) => [entry, name]));
  for (const name of new Set(names.values())) {
    const group = packs.filter(({ entry }) => names.get(entry) === name);
    if (group.length === 1) continue;
    for (const [entry, unique] of tellApart(group, packs, names)) names.set(entry, unique);
  }
  return names;
}

interface NamedPack extends PackName {
  entry: string;
}

type Names = ReadonlyMap<string, string>;

/**
 * @param names the present names of all Packs
 * @returns the new names; none if nothing distinguishes the Packs
 */
function tellApart(group: readonly NamedPack[], packs: readonly NamedPack[], names: Names): Names {
  const others = packs.filter((pack) => !group.includes(pack));
  const blocking = new Set<NamedPack>();
  for (const candidate of listCandidates(group)) {
    const taken = new Set(candidate.values());
    if (taken.size < group.length) continue;
    const owners = others.filter(({ entry }) => taken.has(names.get(entry) ?? ""));
    if (owners.length === 0) return candidate;
    for (const owner of owners) blocking.add(owner);
  }
  // Packs that have one of these names may get a longer one, too.
  return blocking.size === 0 ? new Map() : tellApart([...group, ...blocking], packs, names);
}

/** The names that Packs may get together, the preferred ones first. */
function* listCandidates(group: readonly NamedPack[]): Generator<Names> {
  // What is above all of them counts last, and what is above the project never does: a clone in
  // another folder gives the same names.
  const shared = commonFolder(group.map(({ parent }) => parent)) ?? "";
  for (const withScope of [false, true]) {
    for (const root of [shared, projectRoot(shared)]) {
      const qualified = group.map((pack) => ({ ...pack, front: listFront(pack, root, withScope) }));
      const most = Math.max(1, ...qualified.map(({ front }) => front.length));
      for (let count = 1; count <= most; count += 1)
        yield new Map(
          qualified.map(({ entry, name, front }) => [
            entry,
            cleanName([...front.slice(-count), name].join("-")),
          ]),
        );
    }
  }
}

/** What can be in front of the name of a Pack: the folders below `root`, or the scope. */
function listFront(
  { parent, scope, givenBy }: NamedPack,
  root: string,
  withScope: boolean,
): readonly string[] {
  if (givenBy !== undefined) return withScope && scope ? [scope] : [];
  const folders = relative(root, parent).split(sep);
  return folders.filter((each) => each !== "" && !SOURCE_FOLDERS.has(each));
}
