// The built-in functions as they are when this module is evaluated: in the sandbox that is before
// the Pack's code, which may replace any of them later. Code that runs after that point calls
// nothing else.

export const { stringify, parse } = JSON;
export const { isArray } = Array;
export const {
  create,
  keys,
  is,
  defineProperty,
  getPrototypeOf,
  setPrototypeOf,
  getOwnPropertyDescriptor,
  freeze,
} = Object;
export const { isFinite: isFiniteNumber, isInteger } = Number;
export const { isView } = ArrayBuffer;
export const { apply, construct, get: getMember } = Reflect;
export const { min } = Math;
export const { fromCharCode } = String;
export const IntrinsicString = String;
export const IntrinsicError = Error;
export const IntrinsicTypeError = TypeError;
export const IntrinsicRangeError = RangeError;
export const IntrinsicSyntaxError = SyntaxError;
export const IntrinsicPromise = Promise;
export const IntrinsicProxy = Proxy;
export const IntrinsicDate = Date;
export const IntrinsicRegExp = RegExp;
export const IntrinsicFunction = Function;
export const IntrinsicWeakMap = WeakMap;
export const Bytes = Uint8Array;
export const ObjectPrototype: object = Object.prototype;
export const ArrayPrototype: object = Array.prototype;

const uncurry = Function.prototype.bind.bind(Function.prototype.call) as (
  method: unknown,
) => (...args: unknown[]) => unknown;

export const hasOwn = uncurry(Object.prototype.hasOwnProperty) as (
  value: object,
  key: string,
) => boolean;
/** Such as `"[object Date]"`. */
export const kindOf = uncurry(Object.prototype.toString) as (value: unknown) => string;
export const errorText = uncurry(Error.prototype.toString) as (error: unknown) => string;
export const getTime = uncurry(Date.prototype.getTime) as (date: unknown) => number;
export const toISOString = uncurry(Date.prototype.toISOString) as (date: unknown) => string;
export const slice = uncurry(String.prototype.slice) as (
  text: string,
  from: number,
  to?: number,
) => string;
export const includes = uncurry(String.prototype.includes) as (
  text: string,
  part: string,
) => boolean;
export const indexOf = uncurry(String.prototype.indexOf) as (
  text: string,
  part: string,
  from: number,
) => number;
export const charCodeAt = uncurry(String.prototype.charCodeAt) as (
  text: string,
  index: number,
) => number;
export const testPattern = uncurry(RegExp.prototype.test) as (
  pattern: RegExp,
  text: string,
) => boolean;
export const subarray = uncurry(Uint8Array.prototype.subarray) as (
  bytes: Uint8Array,
  from: number,
  to: number,
) => Uint8Array;
export const mapSet = uncurry(WeakMap.prototype.set) as (
  map: object,
  key: object,
  value: unknown,
) => void;
export const mapGet = uncurry(WeakMap.prototype.get) as (map: object, key: object) => unknown;

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const viewGetter = (name: string) =>
  uncurry(Object.getOwnPropertyDescriptor(typedArray, name)?.get) as (view: unknown) => unknown;
export const viewBuffer = viewGetter("buffer") as (view: unknown) => ArrayBuffer;
export const viewOffset = viewGetter("byteOffset") as (view: unknown) => number;
export const viewLength = viewGetter("byteLength") as (view: unknown) => number;

/** Reads a member of a value of the Pack; `undefined` when that throws. */
export function read(value: unknown, name: string | number): unknown {
  try {
    return value === null || value === undefined
      ? undefined
      : (value as Record<string | number, unknown>)[name];
  } catch {
    return undefined;
  }
}
