// `node:buffer` in a Pack: the Buffer class of the runtime, so that all libraries of a Pack share
// one.
const { Buffer } = globalThis;
const kMaxLength = 2 ** 31 - 1;
const INSPECT_MAX_BYTES = 50;

export { Buffer, Buffer as SlowBuffer, INSPECT_MAX_BYTES, kMaxLength };
export default { Buffer, INSPECT_MAX_BYTES, kMaxLength, SlowBuffer: Buffer };
