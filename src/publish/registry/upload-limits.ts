/** How many bytes a version may have that is uploaded: metadata, bundle and source map together. */
export const MAX_VERSION_BYTES = 32_000_000;
/** How many bytes an image of a listing may have. */
export const MAX_ASSET_BYTES = 10_000_000;
