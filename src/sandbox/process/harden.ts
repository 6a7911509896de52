/** What the syntax leads to without a global name. */
const SYNTAX = [
  async () => undefined,
  function* () {},
  async function* () {},
  [][Symbol.iterator](),
  ""[Symbol.iterator](),
  new Map()[Symbol.iterator](),
  new Set()[Symbol.iterator](),
  "".matchAll(/x/g),
].map((value) => Object.getPrototypeOf(value) as object);

/** The global names that the loop of the process uses. */
const KEPT: readonly PropertyKey[] = ["Error", "globalThis", "JSON", "Number", "Object", "Reflect"];

const CODE_PROTOTYPES = [Function.prototype, ...SYNTAX.slice(0, 3)];

/**
 * Leaves nothing of use in the process's own realm, as a second line of defense: if an object of it
 * ever reached the Pack's code,
 * there would be no `process`, no module and no way to make code; and the built-in objects, which
 * Node's own code uses, too,
 * cannot be changed.
 * @param names the global names of the language; to look at one of Node's may load a module
 */
export function hardenProcess(names: readonly string[]): void {
  const { process } = globalThis;
  for (const prototype of CODE_PROTOTYPES) Reflect.deleteProperty(prototype, "constructor");
  for (const object of builtIns(names)) Object.freeze(object);
  for (const key of Reflect.ownKeys(globalThis))
    if (!KEPT.includes(key)) Reflect.deleteProperty(globalThis, key);
  emptyObject(process);
}

/**
 * From here on no `require` loads a module, wherever code finds one. Node's internal ones, which
 * `--expose-internals` opens, read files that its permission model denies.
 */
export function refuseModules(module: object): void {
  const refuse = (): never => {
    throw new Error("There are no modules.");
  };
  Reflect.defineProperty(module, "_load", { value: refuse, writable: false, configurable: false });
}

/** All objects that the names and the syntax lead to. */
function builtIns(names: readonly string[]): Set<object> {
  const found = new Set<object>();
  const open: unknown[] = [...SYNTAX];
  for (const name of names) open.push(Reflect.getOwnPropertyDescriptor(globalThis, name)?.value);
  while (open.length > 0) {
    const value = open.pop();
    if (
      (typeof value !== "object" && typeof value !== "function") ||
      value === null ||
      found.has(value) ||
      value === globalThis
    )
      continue;
    found.add(value);
    open.push(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const { value: member, get, set } = Reflect.getOwnPropertyDescriptor(value, key) ?? {};
      open.push(member, get, set);
    }
  }
  return found;
}

/** With its prototypes, down to that of all objects. */
function emptyObject(object: object): void {
  for (
    let at = object;
    at !== Object.prototype && at !== null;
    at = Object.getPrototypeOf(at) as object
  ) {
    for (const key of Reflect.ownKeys(at)) {
      if (!Reflect.deleteProperty(at, key)) Reflect.defineProperty(at, key, { value: undefined });
    }
  }
}
