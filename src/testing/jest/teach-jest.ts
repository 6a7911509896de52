import module from "node:module";
import { findOwnEntry, ownEntryOfTypes } from "../../bundle/own-modules.ts";
import { builtFile, builtSinonFile } from "../../shared/own-package.ts";

type Method = (...args: unknown[]) => unknown;

/** The class that resolves every import of a suite. Its methods depend on the version of jest. */
interface Resolver {
  prototype: Record<string, Method | undefined>;
}

/**
 * jest does not resolve names with Node. As soon as it loads its own resolver in this process, that
 * one resolves `@codahq/packs-sdk` and `packsmith` to this package, and `sinon` in a project that
 * does not have it.
 */
export function teachJest(): void {
  const loader = module as typeof module & {
    _load: (request: string, ...rest: unknown[]) => object;
  };
  const load = loader._load;
  const taught = new WeakSet<object>();
  loader._load = function (this: unknown, request, ...rest) {
    const loaded = load.call(this, request, ...rest);
    if (request !== "jest-resolve") return loaded;
    const { default: resolver = loaded } = loaded as Resolver & { default?: Resolver };
    if (typeof resolver !== "function" || taught.has(resolver)) return loaded;
    teach(resolver);
    taught.add(resolver);
    return loaded;
  };
}

function teach({ prototype }: Resolver): void {
  const outside = jestFile("outside");
  // What it takes for a module of Node, Node loads.
  change(prototype, "isCoreModule", (answer, [name]) => name === outside || answer());
  for (const variant of ["", "Async"]) {
    change(prototype, `resolveModuleFromDirIfExists${variant}`, (resolve, [, name]) => {
      const entry = findOwnEntry(String(name));
      if (entry !== undefined && entry !== "vitest") return jestFile(entry);
      return useWhenFound(
        resolve(),
        (found) => codeOfTypes(found) ?? found ?? replaceMissing(name),
      );
    });
    // What `moduleNameMapper` says, which may be made from the `paths` of a tsconfig.json.
    change(prototype, `resolveStubModuleName${variant}`, (resolve) =>
      useWhenFound(resolve(), (found) => codeOfTypes(found) ?? found),
    );
  }
}

function change(
  prototype: Resolver["prototype"],
  name: string,
  answer: (original: () => unknown, args: readonly unknown[]) => unknown,
): void {
  const original = prototype[name];
  if (original === undefined) return;
  prototype[name] = function (this: unknown, ...args) {
    return answer(() => original.apply(this, args), args);
  };
}

function useWhenFound(found: unknown, use: (found: unknown) => unknown): unknown {
  return found instanceof Promise ? found.then(use) : use(found);
}

function codeOfTypes(found: unknown): string | undefined {
  const entry = typeof found === "string" ? ownEntryOfTypes(found) : undefined;
  return entry === undefined ? undefined : jestFile(entry);
}

function replaceMissing(name: unknown): string | null {
  return name === "sinon" ? builtSinonFile() : null;
}

function jestFile(entry: string): string {
  return builtFile(`jest/${entry}.cjs`);
}
