/**
 * Creates `crypto.getRandomValues` from 32 random bytes: ChaCha20 (RFC 8439 §2.3) in counter mode. Only text may enter the
 * sandbox, so the host passes a key instead of a function. Self-contained: its source text is evaluated inside the sandbox.
 * @param key 64 hexadecimal digits
 */
export function createRandomSource(key: string): (view: unknown) => unknown {
  const state = new Uint32Array(16);
  state.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
  for (let word = 0; word < 8; word++) state[4 + word] = Number.parseInt(key.slice(word * 8, word * 8 + 8), 16);
  const block = new Uint32Array(16);
  const bytes = new Uint8Array(block.buffer);
  let used = bytes.length;
  const INTEGERS = ["Int8", "Uint8", "Uint8Clamped", "Int16", "Uint16", "Int32", "Uint32", "BigInt64", "BigUint64"];
  const { isView } = ArrayBuffer;
  const Bytes = Uint8Array;

  const quarter = (a: number, b: number, c: number, d: number): void => {
    const step = (to: number, from: number, into: number, left: number): void => {
      block[to] = (block[to] as number) + (block[from] as number);
      const mixed = (block[into] as number) ^ (block[to] as number);
      block[into] = (mixed << left) | (mixed >>> (32 - left));
    };
    step(a, b, d, 16);
    step(c, d, b, 12);
    step(a, b, d, 8);
    step(c, d, b, 7);
  };

  const refill = (): void => {
    block.set(state);
    for (let round = 0; round < 10; round++) {
      quarter(0, 4, 8, 12);
      quarter(1, 5, 9, 13);
      quarter(2, 6, 10, 14);
      quarter(3, 7, 11, 15);
      quarter(0, 5, 10, 15);
      quarter(1, 6, 11, 12);
      quarter(2, 7, 8, 13);
      quarter(3, 4, 9, 14);
    }
    for (let word = 0; word < 16; word++) block[word] = (block[word] as number) + (state[word] as number);
    state[12] = (state[12] as number) + 1;
    if (state[12] === 0) state[13] = (state[13] as number) + 1;
    used = 0;
  };

  return (view) => {
    const kind = Object.prototype.toString.call(view).slice(8, -6);
    if (!isView(view) || !INTEGERS.includes(kind)) throw new TypeError("getRandomValues fills typed arrays of integers only.");
    if (view.byteLength > 65_536) throw new RangeError("getRandomValues fills at most 65,536 bytes at a time.");
    const target = new Bytes(view.buffer, view.byteOffset, view.byteLength);
    for (let index = 0; index < target.length; index++) {
      if (used === bytes.length) refill();
      target[index] = bytes[used] as number;
      // Used bytes are erased.
      bytes[used++] = 0;
    }
    return view;
  };
}
