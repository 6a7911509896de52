import { isPackError } from "../errors.ts";
import type { Issue } from "../validate/issue.ts";
import type { Bundle } from "./bundle.ts";
import { bundlePack } from "./bundle-pack.ts";
import type { BundleOptions } from "./bundle-plan.ts";
import { explainLoadFailure, findImport } from "./load-failure.ts";
import { packagesForBrowsers, packagesThatNeedBrowsers } from "./package-entries.ts";

/** A bundle, and what loading it gave. */
export interface LoadableBundle<Loaded> {
  bundle: Bundle;
  loaded: Loaded;
}

/**
 * Decides which files of its packages a Pack is bundled with: those for browsers, or the main ones,
 * which may need Node in other places. Packages that need a browser get their main files at once,
 * because only their functions fail without one. Otherwise the main files are tried when the code
 * of the first bundle throws.
 * @param first the Pack with the files for browsers
 * @param tryToLoad loads a bundle, or throws; it may be called twice
 * @returns the bundle that loaded
 * @throws {PackError} the first failure when no bundle loads
 */
export async function findLoadableBundle<Loaded>(
  first: Bundle,
  options: Pick<BundleOptions, "root" | "minify" | "timerStrategy">,
  tryToLoad: (bundle: Bundle) => Promise<Loaded>,
): Promise<LoadableBundle<Loaded>> {
  const load = async (bundle: Bundle) => ({ bundle, loaded: await tryToLoad(bundle) });
  const loadMain = async () => {
    const main = await bundlePack({ ...options, entry: first.entry, packageEntries: "main" });
    return await load(main).catch((error: unknown) => {
      throw explainLoadFailure(error, main);
    });
  };
  const needBrowsers = packagesThatNeedBrowsers(first.inputPaths);
  if (needBrowsers.length > 0) return await preferMain(first, needBrowsers, { load, loadMain });
  try {
    return await load(first);
  } catch (error) {
    const failure = explainLoadFailure(error, first);
    const hasOthers = packagesForBrowsers(first.inputPaths).length > 0;
    if (!isPackError(error, "PACK_LOAD_FAILED") || !hasOthers) throw failure;
    return await loadMain().catch(() => {
      throw failure;
    });
  }
}

/** The main files, or those for browsers with a warning that says why not the main ones. */
async function preferMain<Loaded>(
  first: Bundle,
  needBrowsers: readonly string[],
  {
    load,
    loadMain,
  }: {
    load(bundle: Bundle): Promise<LoadableBundle<Loaded>>;
    loadMain(): Promise<LoadableBundle<Loaded>>;
  },
): Promise<LoadableBundle<Loaded>> {
  try {
    return await loadMain();
  } catch (error) {
    const issue = describeBrowserNeed(needBrowsers, error, first);
    return await load({ ...first, issues: [...first.issues, issue] }).catch((failure: unknown) => {
      throw explainLoadFailure(failure, first);
    });
  }
}

/** The packages are in the bundle with their files for browsers, because the main ones failed. */
function describeBrowserNeed(names: readonly string[], failure: unknown, bundle: Bundle): Issue {
  const [name = ""] = names;
  const reason = isPackError(failure) ? ` ${failure.message}` : "";
  const place = findImport(name, bundle);
  return {
    code: "BUILD_WARNING",
    severity: "warning",
    path: "",
    message: `${name} needs a browser, because its main files do not work here.${reason}`,
    hint:
      (isPackError(failure, "PACK_LOAD_FAILED") ? failure.hint : undefined) ??
      `Test the formulas that use ${name}.`,
    ...(place === undefined ? {} : place),
  };
}
