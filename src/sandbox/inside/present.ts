import {
  construct,
  defineProperty,
  getMember,
  IntrinsicDate,
  IntrinsicProxy,
  IntrinsicString,
} from "../intrinsics.ts";

/**
 * Sets the time that `Date` shows, for tests. The prototype is kept, so that `instanceof Date`
 * works.
 */
export function setPresent(nowMs: number): void {
  const present: DateConstructor = new IntrinsicProxy(IntrinsicDate, {
    apply: () => IntrinsicString(new IntrinsicDate(nowMs)),
    construct: (target, args, newTarget) =>
      construct(
        target,
        args.length === 0 ? [nowMs] : args,
        newTarget === present ? target : newTarget,
      ),
    get: (target, name, receiver) =>
      name === "now" ? () => nowMs : getMember(target, name, receiver),
  });
  defineProperty(globalThis, "Date", {
    value: present,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
