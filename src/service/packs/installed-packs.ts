import { measureBundle } from "../../bundle/bundle.ts";
import { PackError } from "../../errors.ts";
import { openBuiltBundle, type Pack } from "../../execute/open-pack.ts";
import type { PublishedVersion } from "../local/registry/published-version.ts";

/** A Pack, and the file that it came from. */
export interface PackOfFile {
  file: string;
  pack: Pack;
  /** Its place in the registry, when it comes from there. */
  release?: (InstalledPack & { version: string }) | undefined;
}

/** A Pack that runs as it is released. */
export interface InstalledPack {
  /** In the registry of the service. */
  id: number;
  /**
   * Finds the entry file whose accounts it uses: accounts belong to a file, and the registry has
   * none. Without a file it has no accounts.
   */
  findAccounts(): string | undefined;
}

/** Packs that a local service runs out of its registry. */
export interface InstalledPacks extends AsyncDisposable {
  /**
   * Opens the released version of each Pack. It stays open until another version is released.
   * @param wanted the Pack that a button names
   * @throws {PackError} VERSION_UNKNOWN when the wanted Pack has no release, and those of loading a
   *   Pack
   */
  open(
    released: (packId: number) => Promise<PublishedVersion | undefined>,
    wanted: string | undefined,
  ): Promise<PackOfFile[]>;
}

export function createInstalledPacks(installed: readonly InstalledPack[]): InstalledPacks {
  const opened = new Map<number, PackOfFile>();
  const openOne = async (
    { id, findAccounts }: InstalledPack,
    release: PublishedVersion,
  ): Promise<PackOfFile> => {
    const known = opened.get(id);
    if (known?.release?.version === release.version) return known;
    const { bundle, sourceMap, name, version } = release;
    const pack = await openBuiltBundle(
      measureBundle({ name, entry: "bundle.js", code: bundle, sourceMap: sourceMap ?? "" }),
      `Pack ${id}`,
    );
    const entry = { file: `pack-${id}`, pack, release: { id, version, findAccounts } };
    opened.set(id, entry);
    await known?.pack[Symbol.asyncDispose]();
    return entry;
  };
  // One after the other, so that two buttons do not open the same version.
  let last: Promise<unknown> = Promise.resolve();
  return {
    open(released, wanted) {
      const work = last.then(async () => {
        const packs: PackOfFile[] = [];
        for (const one of installed) {
          const release = await released(one.id);
          if (release !== undefined) packs.push(await openOne(one, release));
          else if (wanted === String(one.id)) throw notReleased(one.id);
        }
        return packs;
      });
      last = work.catch(() => {});
      return work;
    },
    async [Symbol.asyncDispose]() {
      await last;
      await Promise.all([...opened.values()].map(({ pack }) => pack[Symbol.asyncDispose]()));
    },
  };
}

function notReleased(id: number): PackError<"VERSION_UNKNOWN"> {
  return new PackError("VERSION_UNKNOWN", `Pack ${id} has no released version in this registry.`, {
    details: { version: undefined, known: [] },
    hint: "To upload and release a version, run packsmith release --publish.",
  });
}
