import { pathToFileURL } from "node:url";

/**
 * What is measured is the built package, not a bundle of the bench. @param path of a module below
 * `dist`
 */
export async function fromDist<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(`dist/${path}`).href)) as Module;
}
