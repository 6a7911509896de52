import type { FetchRequest } from "./definition.ts";

export declare class UserVisibleError extends Error {
  readonly isUserVisible: true;
  readonly internalError: Error | undefined;
  constructor(message?: string, internalError?: Error);
}
/** @deprecated Use `new UserVisibleError(message)`. */
export declare function makeUserVisibleError(message: string): UserVisibleError;
/** @deprecated Use `error instanceof UserVisibleError`. */
export declare function isUserVisibleError(error: unknown): error is UserVisibleError;

export interface StatusCodeErrorResponse {
  body?: any;
  headers?: { [key: string]: string | string[] | undefined };
}
export declare class StatusCodeError extends Error {
  name: string;
  statusCode: number;
  body: any;
  error: any;
  options: FetchRequest;
  response: StatusCodeErrorResponse;
  constructor(
    statusCode: number,
    body: any,
    options: FetchRequest,
    response: StatusCodeErrorResponse,
  );
  static isStatusCodeError(error: any): error is StatusCodeError;
}
export declare class MissingScopesError extends Error {
  name: string;
  constructor(message?: string);
  static isMissingScopesError(error: any): error is MissingScopesError;
}
export declare class ResponseSizeTooLargeError extends Error {
  name: string;
  constructor(message?: string);
  static isResponseSizeTooLargeError(error: any): error is ResponseSizeTooLargeError;
}

export declare function ensureUnreachable(value: never, message?: string): never;
export declare function ensureNonEmptyString(
  value: string | null | undefined,
  message?: string,
): string;
export declare function ensureExists<Value>(
  value: Value | null | undefined,
  message?: string,
): Value;
export declare function assertCondition(condition: any, message?: string): asserts condition;

export declare function withQueryParams(url: string, params?: { [key: string]: any }): string;
export declare function getQueryParams(url: string): { [key: string]: any };
export declare function joinUrl(...tokens: string[]): string;

export declare namespace SvgConstants {
  /** The id of the element that is shown in dark mode. */
  const DarkModeFragmentId: "DarkMode";
  /** The prefix of a data URL with an SVG image. */
  const DataUrlPrefix: "data:image/svg+xml;base64,";
  /** The prefix of a data URL with an SVG image that has an element for dark mode. */
  const DataUrlPrefixWithDarkModeSupport: "data:image/svg+xml;supportsDarkMode=1;base64,";
}
