import { createRequire } from "node:module";
import { dirname, join } from "node:path";
// biome-ignore lint/suspicious/noTsIgnore: only a project without sinon's types has the error; it gets `any`
/** @ts-ignore */
import type { SinonStub } from "sinon";
import { builtSinonFile } from "../../shared/own-package.ts";

type AnyFunction = (...args: never[]) => unknown;

/** A stub of sinon in place of a function. */
export type StubOf<Fn extends AnyFunction> = SinonStub<Parameters<Fn>, ReturnType<Fn>>;

/** The part of sinon that this module calls. */
interface Sinon {
  stub(object: object, method: string): { callsFake(fake: AnyFunction): unknown };
}

/**
 * Creates a stub with the sinon of the project, or with the one that packsmith contains.
 * @param name for the messages of `sinon.assert`
 * @param fake what the stub does until the test says otherwise
 */
export function createStub<Fn extends AnyFunction>(name: string, fake: AnyFunction): StubOf<Fn> {
  sinon ??= findSinon(process.cwd()) ?? loadBuiltSinon();
  return sinon.stub({ [name]: fake }, name).callsFake(fake) as StubOf<Fn>;
}

let sinon: Sinon | undefined;

function loadBuiltSinon(): Sinon {
  const file = builtSinonFile();
  return createRequire(file)(file) as Sinon;
}

/**
 * sinon ships two copies of itself, and a matcher of one means nothing to a stub of the other. The
 * stubs must come from the
 * copy that the suite imports: the CommonJS one when it is loaded already, otherwise the ES module.
 */
function findSinon(folder: string): Sinon | undefined {
  const requireFrom = createRequire(join(folder, "package.json"));
  let commonJs: string;
  try {
    commonJs = requireFrom.resolve("sinon");
  } catch {
    return undefined;
  }
  // It is what packsmith/register finds in a project that has none.
  if (commonJs === builtSinonFile()) return undefined;
  if (Object.hasOwn(requireFrom.cache, commonJs)) return requireFrom("sinon") as Sinon;
  const manifestPath = requireFrom.resolve("sinon/package.json");
  const manifest = requireFrom(manifestPath) as { exports?: { "."?: { import?: unknown } } };
  const esModule = manifest.exports?.["."]?.import;
  if (typeof esModule !== "string") return requireFrom("sinon") as Sinon;
  // Node warns about `require` of an ES module, except from below node_modules.
  const loaded = createRequire(manifestPath)(join(dirname(manifestPath), esModule)) as Sinon & {
    default?: Sinon;
  };
  return loaded.default ?? loaded;
}
