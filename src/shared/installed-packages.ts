const IN_PACKAGE = /(?:^|[\\/])node_modules(?:[\\/]|$)/;
/** The innermost `node_modules`, because a package may contain packages of its own. */
const PACKAGE_FOLDER = /^(?:.*[\\/])?node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)(?=[\\/]|$)/s;

/** Whether a path leads through `node_modules`, or to it. */
export function isInPackage(path: string): boolean {
  return IN_PACKAGE.test(path);
}

/**
 * @param path a file of a package, or the folder of the package
 * @returns the folder of the innermost installed package, and its name with `/` as the separator;
 * undefined for a path that leads to none
 */
export function findInstalledPackage(path: string): { folder: string; name: string } | undefined {
  const match = PACKAGE_FOLDER.exec(path);
  if (match === null) return undefined;
  const [folder, name = ""] = match;
  return { folder, name: name.replace("\\", "/") };
}

/** The package that an import names, without the path in it. */
export function readPackageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}
