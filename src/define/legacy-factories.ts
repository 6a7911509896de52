import type { ParameterType } from "./enumerations.ts";
import { UserVisibleError } from "./pack-errors.ts";
import { makeParameter, type Parameter } from "./parameter.ts";

/** Accepted from older Packs. What the older parameter factories take beside name and description. */
export type LegacyParameterOptions<T extends ParameterType> = Omit<Parameter<T>, "type" | "name" | "description">;

/** Accepted from older Packs. A parameter of an older factory: optional in the type when its options say so. */
export type LegacyParameter<T extends ParameterType, Options> = Parameter<T> &
  (Options extends { readonly optional: true } ? { readonly optional: true } : { readonly optional?: undefined });

type LegacyParameterFactory<T extends ParameterType> = <const Options extends LegacyParameterOptions<T> = LegacyParameterOptions<T>>(
  name: string,
  description: string,
  options?: Options,
) => LegacyParameter<T, Options>;

function factoryOf<T extends ParameterType>(type: T): LegacyParameterFactory<T> {
  return <Options extends LegacyParameterOptions<T>>(name: string, description: string, options?: Options) => {
    const parameter: Parameter<T> = { ...options, type, name, description };
    return makeParameter(parameter) as unknown as LegacyParameter<T, Options>;
  };
}

/** Accepted from older Packs. `makeParameter({ type: ParameterType.String, … })` replaces it. */
export const makeStringParameter = /* @__PURE__ */ factoryOf("string");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.StringArray, … })` replaces it. */
export const makeStringArrayParameter = /* @__PURE__ */ factoryOf("stringArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.Number, … })` replaces it. */
export const makeNumericParameter = /* @__PURE__ */ factoryOf("number");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.NumberArray, … })` replaces it. */
export const makeNumericArrayParameter = /* @__PURE__ */ factoryOf("numberArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.Boolean, … })` replaces it. */
export const makeBooleanParameter = /* @__PURE__ */ factoryOf("boolean");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.BooleanArray, … })` replaces it. */
export const makeBooleanArrayParameter = /* @__PURE__ */ factoryOf("booleanArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.Date, … })` replaces it. */
export const makeDateParameter = /* @__PURE__ */ factoryOf("date");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.DateArray, … })` replaces it. */
export const makeDateArrayParameter = /* @__PURE__ */ factoryOf("dateArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.Html, … })` replaces it. */
export const makeHtmlParameter = /* @__PURE__ */ factoryOf("html");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.HtmlArray, … })` replaces it. */
export const makeHtmlArrayParameter = /* @__PURE__ */ factoryOf("htmlArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.Image, … })` replaces it. */
export const makeImageParameter = /* @__PURE__ */ factoryOf("image");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.ImageArray, … })` replaces it. */
export const makeImageArrayParameter = /* @__PURE__ */ factoryOf("imageArray");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.File, … })` replaces it. */
export const makeFileParameter = /* @__PURE__ */ factoryOf("file");
/** Accepted from older Packs. `makeParameter({ type: ParameterType.FileArray, … })` replaces it. */
export const makeFileArrayParameter = /* @__PURE__ */ factoryOf("fileArray");

/** Accepted from older Packs. `new UserVisibleError(message)` replaces it. */
export function makeUserVisibleError(message: string): UserVisibleError {
  return new UserVisibleError(message);
}

/** Accepted from older Packs. Whether the user sees the message of an error. */
export function isUserVisibleError(error: unknown): error is UserVisibleError {
  return typeof error === "object" && error !== null && (error as Partial<UserVisibleError>).isUserVisible === true;
}
