import {
  charCodeAt,
  construct,
  create,
  defineProperty,
  getPrototypeOf,
  IntrinsicFunction,
  IntrinsicProxy,
  IntrinsicSyntaxError,
  indexOf,
  setPrototypeOf,
  slice,
} from "../intrinsics.ts";

const REFUSED = "Code that is created from a string cannot import modules.";
const WORD = "import";
const BACKSLASH = 92;
// biome-ignore lint/security/noGlobalEval: the Pack's own, which is guarded below
const evaluate = globalThis.eval as (text: string) => unknown;

/** A list without a prototype: no setter or getter of the Pack is behind it. */
interface Texts {
  length: number;
  [index: number]: string;
}

/**
 * Lets the Pack make code from text, as the service does, but not with `import()`.
 *
 * `eval` becomes a function, so code in it sees only global names. Every constructor of functions is replaced by a proxy that reads
 * the text first; nothing else in the realm leads to the original constructors.
 */
export function guardCode(): void {
  const prototypes = [
    IntrinsicFunction.prototype,
    getPrototypeOf(async () => undefined),
    getPrototypeOf(function* () {}),
    getPrototypeOf(async function* () {}),
  ] as object[];
  let first: object | undefined;
  for (const prototype of prototypes) {
    const original = (prototype as { constructor: object }).constructor;
    const proxy = guardConstructor(original);
    // The other constructors inherit from the first one.
    if (first === undefined) first = proxy;
    else setPrototypeOf(original, first);
    defineProperty(prototype, "constructor", {
      value: proxy,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
  defineProperty(globalThis, "Function", {
    value: first,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  const guardedEval = {
    eval(text: unknown): unknown {
      if (typeof text !== "string") return text;
      check(text);
      return evaluate(text);
    },
  }.eval;
  defineProperty(globalThis, "eval", {
    value: guardedEval,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

function guardConstructor(original: object): object {
  return new IntrinsicProxy(original, {
    apply: (target, _self, parts) => construct(target as never, checkParts(parts) as never),
    construct: (target, parts, newTarget) =>
      construct(target as never, checkParts(parts) as never, newTarget),
  });
}

/** Each part becomes text once, and that text is what is checked and used. */
function checkParts(parts: ArrayLike<unknown>): Texts {
  const texts = create(null) as Texts;
  texts.length = parts.length;
  for (let index = 0; index < parts.length; index++) {
    const text = `${parts[index] as string}`;
    // The parameters are not a body: in them the word alone is refused.
    if (index < parts.length - 1 && indexOf(text, WORD, 0) >= 0)
      throw new IntrinsicSyntaxError(REFUSED);
    texts[index] = text;
  }
  if (texts.length > 0) check(texts[texts.length - 1] as string);
  return texts;
}

/**
 * V8's own parser decides, as for the bundle: with an escape the word is a syntax error only where
 * it is the keyword.
 */
function check(text: string): void {
  if (indexOf(text, WORD, 0) < 0) return;
  const body = create(null) as Texts;
  body.length = 1;
  body[0] = respellImports(text);
  try {
    construct(IntrinsicFunction, body as never);
  } catch {
    throw new IntrinsicSyntaxError(REFUSED);
  }
}

/** Writes the word with an escape, unless a backslash that is not escaped itself precedes it. */
function respellImports(text: string): string {
  let result = "";
  let from = 0;
  for (let at = indexOf(text, WORD, 0); at >= 0; at = indexOf(text, WORD, from)) {
    let slashes = 0;
    while (at - slashes > 0 && charCodeAt(text, at - slashes - 1) === BACKSLASH) slashes++;
    result += slice(text, from, at) + (slashes % 2 === 1 ? WORD : "\\u0069mport");
    from = at + WORD.length;
  }
  return result + slice(text, from);
}
