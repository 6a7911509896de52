import type { Pack } from "../../execute/open-pack.ts";

/** The version of a Pack that runs. Its isolate stays while a run uses it. */
export interface RunningVersion extends AsyncDisposable {
  exists(): boolean;
  replace(pack: Pack, revision: number): void;
  /** Keeps the isolate until the result is disposed of. @returns undefined when nothing can run */
  borrow(): (Pack & { revision: number }) | undefined;
}

interface Version {
  pack: Pack;
  revision: number;
  users: number;
  isReplaced: boolean;
}

export function createRunningVersion(): RunningVersion {
  let version: Version | undefined;
  /** Unused isolates end in the background. */
  let ending: Promise<void> = Promise.resolve();

  const endUnused = ({ pack, users, isReplaced }: Version): void => {
    if (!isReplaced || users > 0) return;
    ending = Promise.all([ending, pack[Symbol.asyncDispose]()]).then(() => undefined);
  };
  const replaceWith = (next: Version | undefined): void => {
    const before = version;
    version = next;
    if (before === undefined) return;
    before.isReplaced = true;
    endUnused(before);
  };
  return {
    exists: () => version !== undefined,
    replace: (pack, revision) => replaceWith({ pack, revision, users: 0, isReplaced: false }),
    borrow() {
      if (version === undefined) return undefined;
      const used = version;
      used.users += 1;
      let isOpen = true;
      return {
        ...used.pack,
        revision: used.revision,
        async [Symbol.asyncDispose]() {
          if (!isOpen) return;
          isOpen = false;
          used.users -= 1;
          endUnused(used);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      replaceWith(undefined);
      await ending;
    },
  };
}
