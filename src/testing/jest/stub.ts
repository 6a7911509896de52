import { createRequire } from "node:module";
import { join } from "node:path";

type AnyFunction = (...args: never[]) => unknown;

/** The part of sinon that this module calls. */
interface Sinon {
  stub(object: object, method: string): { callsFake(fake: AnyFunction): unknown };
}

/**
 * In the bundle for jest, stubs are made by the sinon that jest loads for the suite, too.
 * @param name for the messages of `sinon.assert`
 */
export function createStub(name: string, fake: AnyFunction): unknown {
  const sinon = createRequire(join(process.cwd(), "package.json"))("sinon") as Sinon;
  return sinon.stub({ [name]: fake }, name).callsFake(fake);
}
