/**
 * Lets the Pack make code from text, as the service does, but not with `import()`: V8 answers that with a promise of the host's
 * realm, which is a way out of the sandbox. Self-contained: its source text is evaluated inside the sandbox, before the Pack's code.
 *
 * `eval` becomes a function, so code in it sees only global names. Every constructor of functions is replaced by a proxy that reads
 * the text first; nothing else in the realm leads to the original constructors.
 */
export function guardCode(): void {
  const realm = globalThis as unknown as Record<string, unknown>;
  const { create, defineProperty, getPrototypeOf, setPrototypeOf } = Object;
  const { construct } = Reflect;
  const Code = Function;
  const Wrong = SyntaxError;
  const evaluate = realm["eval"] as (text: string) => unknown;
  // Captured now, and without regular expressions: the Pack can change every prototype later.
  const uncurry = Function.prototype.bind.bind(Function.prototype.call) as (method: unknown) => (...args: unknown[]) => unknown;
  const indexOf = uncurry(String.prototype.indexOf) as (text: string, part: string, from: number) => number;
  const slice = uncurry(String.prototype.slice) as (text: string, from: number, to?: number) => string;
  const charCodeAt = uncurry(String.prototype.charCodeAt) as (text: string, index: number) => number;
  const WORD = "import";
  const BACKSLASH = 92;

  type Texts = { length: number; [index: number]: string };
  /** A list that no setter or getter of the Pack stands behind. */
  const list = (...texts: string[]): Texts => {
    const result = create(null) as Texts;
    result.length = texts.length;
    for (let index = 0; index < texts.length; index++) result[index] = texts[index] as string;
    return result;
  };

  /** Writes the word with an escape wherever a backslash does not stand before it already. */
  const respelled = (text: string): string => {
    let result = "";
    let from = 0;
    for (let at = indexOf(text, WORD, 0); at >= 0; at = indexOf(text, WORD, from)) {
      let slashes = 0;
      while (at - slashes > 0 && charCodeAt(text, at - slashes - 1) === BACKSLASH) slashes++;
      result += slice(text, from, at) + (slashes % 2 === 1 ? WORD : "\\u0069mport");
      from = at + WORD.length;
    }
    return result + slice(text, from);
  };

  // V8's own parser decides, as for the bundle: with an escape the word is a syntax error only where it is the keyword.
  const check = (text: string): void => {
    if (indexOf(text, WORD, 0) < 0) return;
    try {
      construct(Code, list(respelled(text)));
    } catch {
      throw new Wrong("Code that is made from text may not import.");
    }
  };
  /** Each part becomes text once, and that text is what is checked and used. */
  const checked = (parts: ArrayLike<unknown>): Texts => {
    const texts = list();
    for (let index = 0; index < parts.length; index++) {
      const text = `${parts[index] as string}`;
      // The parameters are not a body: in them the word alone is refused.
      if (index < parts.length - 1 && indexOf(text, WORD, 0) >= 0) throw new Wrong("Code that is made from text may not import.");
      texts[index] = text;
      texts.length = index + 1;
    }
    if (texts.length > 0) check(texts[texts.length - 1] as string);
    return texts;
  };

  const guarded = (original: object): object =>
    new Proxy(original, {
      apply: (target, _self, parts) => construct(target as never, checked(parts) as never),
      construct: (target, parts, newTarget) => construct(target as never, checked(parts) as never, newTarget),
    });
  const prototypes = [
    Code.prototype,
    getPrototypeOf(async () => undefined),
    getPrototypeOf(function* () {}),
    getPrototypeOf(async function* () {}),
  ] as object[];
  let first: object | undefined;
  for (const prototype of prototypes) {
    const original = (prototype as { constructor: object }).constructor;
    const proxy = guarded(original);
    // The other constructors inherit from the first one.
    if (first === undefined) first = proxy;
    else setPrototypeOf(original, first);
    defineProperty(prototype, "constructor", { value: proxy, writable: true, enumerable: false, configurable: true });
  }
  defineProperty(realm, "Function", { value: first, writable: true, enumerable: false, configurable: true });
  const guardedEval = {
    eval(text: unknown): unknown {
      if (typeof text !== "string") return text;
      check(text);
      return evaluate(text);
    },
  }.eval;
  defineProperty(realm, "eval", { value: guardedEval, writable: true, enumerable: false, configurable: true });
}
