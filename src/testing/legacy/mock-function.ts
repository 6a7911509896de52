import { inspect, isDeepStrictEqual } from "node:util";

type AnyFunction = (...args: never[]) => unknown;
type Args<Fn extends AnyFunction> = Parameters<Fn>;
type Resolved<Fn extends AnyFunction> = Awaited<ReturnType<Fn>>;

/**
 * What the typings of sinon expect of a stub and this mock does not have. With the type `never` the mock is accepted by
 * `sinon.assert`, and nothing can be done with them.
 */
type AbsentFromCall = {
  readonly [Name in
    | (
        | "calledOn"
        | "calledWithNew"
        | "calledOnceWith"
        | "calledOnceWithExactly"
        | "calledWithMatch"
        | "notCalledWith"
        | "notCalledWithMatch"
      )
    | ("returned" | "threw" | "callArg" | "callArgOn" | "callArgWith" | "callArgOnWith" | "yield" | "yieldOn" | "yieldTo" | "yieldToOn")
    | ("thisValue" | "callback" | "calledBefore" | "calledAfter")]: never;
};
type AbsentFromMock = {
  readonly [Name in
    | ("calledOn" | "calledWithNew" | "notCalledWith" | "notCalledWithMatch" | "returned" | "threw")
    | ("callArg" | "callArgOn" | "callArgWith" | "callArgOnWith" | "yield" | "yieldOn" | "yieldTo" | "yieldToOn")
    | ("thisValues" | "exceptions" | "wrappedMethod" | "calledBefore" | "calledAfter" | "calledImmediatelyBefore")
    | ("calledImmediatelyAfter" | "alwaysCalledOn" | "alwaysCalledWithMatch" | "alwaysThrew" | "alwaysReturned")
    | ("invokeCallback" | "named" | "restore")]: never;
};

/** One call of a mock. */
export interface MockCall<Fn extends AnyFunction = AnyFunction> extends AbsentFromCall {
  readonly args: Args<Fn>;
  /** What it returned; absent when it threw. */
  readonly returnValue: ReturnType<Fn>;
  readonly exception: unknown;
  readonly firstArg: unknown;
  readonly lastArg: unknown;
  calledWith(...args: unknown[]): boolean;
  calledWithExactly(...args: unknown[]): boolean;
}

/** What a mock does, and what it was asked: the part of a sinon stub that test suites of Packs use. */
export interface MockFunction<Fn extends AnyFunction = AnyFunction> extends AbsentFromMock {
  (...args: Args<Fn>): ReturnType<Fn>;
  returns(value: ReturnType<Fn> | Resolved<Fn>): MockFunction<Fn>;
  resolves(value?: Resolved<Fn>): MockFunction<Fn>;
  rejects(error?: unknown, message?: string): MockFunction<Fn>;
  throws(error?: unknown, message?: string): MockFunction<Fn>;
  callsFake(fake: (...args: Args<Fn>) => ReturnType<Fn> | Resolved<Fn>): MockFunction<Fn>;
  /** What the call of this number does, from 0. */
  onCall(index: number): MockFunction<Fn>;
  onFirstCall(): MockFunction<Fn>;
  onSecondCall(): MockFunction<Fn>;
  onThirdCall(): MockFunction<Fn>;
  /** What calls that begin with these arguments do; matchers of sinon count. */
  withArgs(...args: unknown[]): MockFunction<Fn>;
  reset(): void;
  resetHistory(): void;
  resetBehavior(): void;
  readonly called: boolean;
  readonly notCalled: boolean;
  readonly calledOnce: boolean;
  readonly calledTwice: boolean;
  readonly calledThrice: boolean;
  readonly callCount: number;
  readonly args: Args<Fn>[];
  readonly returnValues: ReturnType<Fn>[];
  /** `null` when there was no such call, as with sinon, whose typings do not say so either. */
  readonly firstCall: MockCall<Fn>;
  readonly secondCall: MockCall<Fn>;
  readonly thirdCall: MockCall<Fn>;
  readonly lastCall: MockCall<Fn>;
  getCall(index: number): MockCall<Fn>;
  getCalls(): MockCall<Fn>[];
  calledWith(...args: unknown[]): boolean;
  calledWithExactly(...args: unknown[]): boolean;
  calledWithMatch(...args: unknown[]): boolean;
  calledOnceWith(...args: unknown[]): boolean;
  calledOnceWithExactly(...args: unknown[]): boolean;
  calledOnceWithMatch(...args: unknown[]): boolean;
  alwaysCalledWith(...args: unknown[]): boolean;
  alwaysCalledWithExactly(...args: unknown[]): boolean;
  neverCalledWith(...args: unknown[]): boolean;
  neverCalledWithMatch(...args: unknown[]): boolean;
  /** For the messages of `sinon.assert`. */
  printf(format: string, ...args: unknown[]): string;
}

type Behavior = (args: unknown[]) => unknown;
interface Memory {
  calls: MockCall[];
  usual: Behavior | undefined;
  byCall: Map<number, Behavior>;
  byArgs: { args: unknown[]; mock: MockFunction; memory: Memory }[];
}

/**
 * Creates a mock that `sinon.assert` takes for a stub.
 * @param name for messages
 * @param otherwise what it does while it has not been told. @default returns undefined
 */
export function createMockFunction<Fn extends AnyFunction>(name: string, otherwise?: (...args: unknown[]) => unknown): MockFunction<Fn> {
  return make(name, otherwise === undefined ? undefined : (args) => otherwise(...args)).mock as unknown as MockFunction<Fn>;
}

function make(name: string, otherwise: Behavior | undefined): { mock: MockFunction; memory: Memory } {
  const memory: Memory = { calls: [], usual: undefined, byCall: new Map(), byArgs: [] };
  const invoke = (...args: unknown[]): unknown => {
    const index = memory.calls.length;
    const special = [...memory.byArgs].filter((entry) => startsWith(args, entry.args)).sort((a, b) => b.args.length - a.args.length)[0];
    const call: { returnValue?: unknown; exception?: unknown } = {};
    memory.calls.push(callOf(args, call));
    try {
      const toldByArgs = special !== undefined && isTold(special.memory) ? special.mock : undefined;
      const behavior = memory.byCall.get(index) ?? memory.usual ?? otherwise;
      call.returnValue = toldByArgs === undefined ? behavior?.(args) : (toldByArgs as unknown as (...all: unknown[]) => unknown)(...args);
      return call.returnValue;
    } catch (error) {
      call.exception = error;
      throw error;
    }
  };
  const told = (set: (behavior: Behavior) => void): Members => ({
    returns: (value: unknown) => set(() => value),
    resolves: (value?: unknown) => set(() => Promise.resolve(value)),
    rejects: (error?: unknown, message?: string) => set(() => Promise.reject(errorOf(error, message))),
    throws: (error?: unknown, message?: string) =>
      set(() => {
        throw errorOf(error, message);
      }),
    callsFake: (fake: (...args: unknown[]) => unknown) => set((args) => fake(...args)),
  });
  const chain = (members: Members): Members =>
    Object.fromEntries(
      Object.entries(members).map(([member, method]) => [
        member,
        (...args: unknown[]) => {
          (method as (...all: unknown[]) => unknown)(...args);
          return mock;
        },
      ]),
    );
  const onCall = (index: number): Members => {
    const one = chain(told((behavior) => memory.byCall.set(index, behavior)));
    return { ...one, onCall, onFirstCall: () => onCall(0), onSecondCall: () => onCall(1), onThirdCall: () => onCall(2) };
  };
  const resetHistory = (): void => {
    memory.calls.length = 0;
    for (const { mock: inner } of memory.byArgs) inner.resetHistory();
  };
  const resetBehavior = (): void => {
    memory.usual = undefined;
    memory.byCall.clear();
    memory.byArgs.length = 0;
  };
  const mock = Object.assign(invoke, {
    ...chain(told((behavior) => (memory.usual = behavior))),
    ...{ onCall, onFirstCall: () => onCall(0), onSecondCall: () => onCall(1), onThirdCall: () => onCall(2) },
    withArgs(...args: unknown[]) {
      const known = memory.byArgs.find((entry) => isDeepStrictEqual(entry.args, args));
      if (known !== undefined) return known.mock;
      const inner = make(name, otherwise);
      memory.byArgs.push({ args, ...inner });
      return inner.mock;
    },
    ...{ resetHistory, resetBehavior },
    reset() {
      resetHistory();
      resetBehavior();
    },
    getCall: (index: number) => memory.calls.at(index) ?? null,
    getCalls: () => [...memory.calls],
    ...questions(memory),
    printf: (format: string, ...args: unknown[]) => printf(name, memory, format, args),
  }) as unknown as MockFunction;
  defineHistory(mock, memory);
  return { mock, memory };
}

type Members = Record<string, unknown>;

function questions({ calls }: Memory): Members {
  const once = (ask: (call: MockCall, args: unknown[]) => boolean) => ({
    some: (...args: unknown[]) => calls.some((call) => ask(call, args)),
    every: (...args: unknown[]) => calls.length > 0 && calls.every((call) => ask(call, args)),
    only: (...args: unknown[]) => calls.length === 1 && calls.every((call) => ask(call, args)),
    none: (...args: unknown[]) => !calls.some((call) => ask(call, args)),
  });
  const starts = once((call, args) => startsWith(call.args, args));
  const equals = once((call, args) => isExactly(call.args, args));
  const matches = once((call, args) => args.every((expected, index) => isLike((call.args as unknown[])[index], expected)));
  return {
    calledWith: starts.some,
    alwaysCalledWith: starts.every,
    calledOnceWith: starts.only,
    neverCalledWith: starts.none,
    calledWithExactly: equals.some,
    alwaysCalledWithExactly: equals.every,
    calledOnceWithExactly: equals.only,
    calledWithMatch: matches.some,
    calledOnceWithMatch: matches.only,
    neverCalledWithMatch: matches.none,
  };
}

function defineHistory(mock: MockFunction, { calls }: Memory): void {
  const history: Record<string, () => unknown> = {
    called: () => calls.length > 0,
    notCalled: () => calls.length === 0,
    calledOnce: () => calls.length === 1,
    calledTwice: () => calls.length === 2,
    calledThrice: () => calls.length === 3,
    callCount: () => calls.length,
    args: () => calls.map((call) => call.args),
    returnValues: () => calls.map((call) => call.returnValue),
    firstCall: () => calls[0] ?? null,
    secondCall: () => calls[1] ?? null,
    thirdCall: () => calls[2] ?? null,
    lastCall: () => calls.at(-1) ?? null,
  };
  for (const [member, get] of Object.entries(history)) Object.defineProperty(mock, member, { get, enumerable: true });
}

function isTold({ usual, byCall, byArgs }: Memory): boolean {
  return usual !== undefined || byCall.size > 0 || byArgs.length > 0;
}

function callOf(args: unknown[], outcome: { returnValue?: unknown; exception?: unknown }): MockCall {
  const call = {
    args: args as never[],
    get returnValue() {
      return outcome.returnValue;
    },
    get exception() {
      return outcome.exception;
    },
    firstArg: args[0],
    lastArg: args.at(-1),
    calledWith: (...expected: unknown[]) => startsWith(args, expected),
    calledWithExactly: (...expected: unknown[]) => isExactly(args, expected),
  };
  return call as unknown as MockCall;
}

function startsWith(args: readonly unknown[], expected: readonly unknown[]): boolean {
  return expected.length <= args.length && expected.every((value, index) => isEqual(args[index], value));
}

function isExactly(args: readonly unknown[], expected: readonly unknown[]): boolean {
  return args.length === expected.length && startsWith(args, expected);
}

/** Deep equality in which a matcher, such as `sinon.match.string`, stands for what it matches. */
function isEqual(actual: unknown, expected: unknown): boolean {
  if (isMatcher(expected)) return expected.test(actual);
  if (!isContainer(actual) || !isContainer(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return isDeepStrictEqual(actual, expected);
  }
  const names = Object.keys(expected);
  return (
    names.length === Object.keys(actual).length &&
    names.every((name) => Object.hasOwn(actual, name) && isEqual(actual[name], expected[name]))
  );
}

/** Like equality, for the members that are expected only; an expected text may be a part. */
function isLike(actual: unknown, expected: unknown): boolean {
  if (typeof expected === "string" && typeof actual === "string") return actual.includes(expected);
  if (!isContainer(actual) || !isContainer(expected) || isMatcher(expected)) return isEqual(actual, expected);
  return Object.keys(expected).every((name) => Object.hasOwn(actual, name) && isLike(actual[name], expected[name]));
}

function isMatcher(value: unknown): value is { test(actual: unknown): boolean } {
  return typeof value === "object" && value !== null && !(value instanceof RegExp) && "test" in value && typeof value.test === "function";
}

function isContainer(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function errorOf(error: unknown, message: string | undefined): unknown {
  if (error === undefined) return new Error("Error");
  if (typeof error !== "string") return error;
  // The name of an error, as sinon reads it; its message follows.
  return Object.assign(new Error(message ?? ""), { name: error });
}

const TIMES = ["never", "once", "twice", "thrice"];

function printf(name: string, { calls }: Memory, format: string, args: readonly unknown[]): string {
  const shown = calls
    .map((call) => `\n    ${name}(${(call.args as unknown[]).map((arg) => inspect(arg, { depth: 5 })).join(", ")})`)
    .join("");
  return format.replace(/%(.)/g, (found, kind: string) => {
    switch (kind) {
      case "n":
        return name;
      case "c":
        return TIMES[calls.length] ?? `${calls.length} times`;
      case "C":
        return shown;
      case "D":
        return `${args.map((arg) => inspect(arg, { depth: 5 })).join(", ")}; its calls were${shown === "" ? " none" : shown}`;
      case "*":
        return args.map((arg) => inspect(arg)).join(", ");
      default:
        return /\d/.test(kind) ? inspect(args[Number(kind) - 1]) : found;
    }
  });
}
