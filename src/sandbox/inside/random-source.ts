import { chacha20 } from "@noble/ciphers/chacha.js";
import {
  Bytes,
  IntrinsicRangeError,
  IntrinsicTypeError,
  includes,
  isView,
  kindOf,
  slice,
  viewBuffer,
  viewLength,
  viewOffset,
} from "../intrinsics.ts";

const INTEGERS = " Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 BigInt64 BigUint64 ";
const MAX_BYTES = 65_536;
const POOL_BLOCKS = 16;

/**
 * Creates `crypto.getRandomValues`. Only text enters the sandbox, so the host passes a key instead
 * of a function: the values are
 * the key stream of ChaCha20 (RFC 8439 §2.4).
 * @param key 64 hexadecimal digits, used for nothing else
 */
export function createRandomSource(key: string): (view: unknown) => unknown {
  const secret = new Bytes(32);
  for (let index = 0; index < 32; index++)
    secret[index] = +`0x${slice(key, index * 2, index * 2 + 2)}`;
  const nonce = new Bytes(12);
  const zeros = new Bytes(POOL_BLOCKS * 64);
  const pool = new Bytes(zeros.length);
  let used = pool.length;
  let block = 0;
  return (view) => {
    if (!isView(view) || !includes(INTEGERS, ` ${slice(kindOf(view), 8, -6)} `)) {
      throw new IntrinsicTypeError("getRandomValues fills typed arrays of integers only.");
    }
    const target = new Bytes(viewBuffer(view), viewOffset(view), viewLength(view));
    if (target.length > MAX_BYTES)
      throw new IntrinsicRangeError("getRandomValues fills at most 65,536 bytes at a time.");
    for (let index = 0; index < target.length; index++) {
      if (used === pool.length) {
        chacha20(secret, nonce, zeros, pool, block);
        block += POOL_BLOCKS;
        used = 0;
      }
      target[index] = pool[used] as number;
      // Used bytes are erased.
      pool[used++] = 0;
    }
    return view;
  };
}
