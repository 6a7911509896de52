/**
 * The version of `@codahq/packs-sdk` whose authoring surface Packs are checked against: what an
 * upload names as its SDK.
 */
export const SDK_VERSION = "1.17.5";
