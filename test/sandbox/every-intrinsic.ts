/**
 * Code of a Pack that finds every object of its language and runtime: `intrinsics()`. `mark()`
 * changes each of them, as a Pack with a
 * polyfill or with bad intentions does; `marks()` says how many objects show such a change.
 */
export const EVERY_INTRINSIC = `
const intrinsics = () => {
  const found = new Set();
  const open = [globalThis, URL, async () => {}, function* () {}, async function* () {}, [][Symbol.iterator](), ""[Symbol.iterator](),
    new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), "".matchAll(/x/g), (function () { return arguments; })()];
  while (open.length > 0) {
    const value = open.pop();
    if ((typeof value !== "object" && typeof value !== "function") || value === null || found.has(value)) continue;
    found.add(value);
    open.push(Reflect.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const member = Reflect.getOwnPropertyDescriptor(value, key);
      open.push(member.value, member.get, member.set);
    }
  }
  return [...found];
};
const marks = () => intrinsics().filter((object) => Reflect.getOwnPropertyDescriptor(object, "leftByAnother") !== undefined).length;
const mark = () => {
  const { defineProperty } = Reflect;
  const all = intrinsics();
  let count = 0;
  for (let at = 0; at < all.length; at++) if (defineProperty(all[at], "leftByAnother", { value: true })) count++;
  return count;
};`;
