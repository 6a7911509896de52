/** RFC 1951 §3.2.5: what the codes for lengths and distances begin at, and how many bits follow them. */
const [LENGTH_BASE, LENGTH_BITS] = codeTable(3, (code) => (code < 8 ? 0 : (code >> 2) - 1), 29);
const [DISTANCE_BASE, DISTANCE_BITS] = codeTable(1, (code) => (code < 4 ? 0 : (code >> 1) - 1), 30);
/** §3.2.7: the order in which the lengths of the code for lengths are sent. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;

/** A prefix code: how many codes there are of each length, and their symbols in order. */
interface Code {
  counts: Uint16Array;
  symbols: Uint16Array;
}

/** Whether data begin as a gzip file does. */
export function isGzip(data: Uint8Array): boolean {
  return data[0] === 0x1f && data[1] === 0x8b;
}

/**
 * Unpacks a gzip file (RFC 1952, RFC 1951) without any API of Node or the Web, because a Pack has none.
 * @throws {RangeError} when the data are broken, or larger than `maxBytes`
 */
export function gunzip(data: Uint8Array, maxBytes: number): Uint8Array {
  const flags = data[3] ?? 0;
  let at = HEADER_BYTES;
  if (flags & 4) at += 2 + ((data[at] ?? 0) | ((data[at + 1] ?? 0) << 8));
  for (const flag of [8, 16]) if (flags & flag) at = data.indexOf(0, at) + 1;
  if (flags & 2) at += 2;
  return inflate(data.subarray(at, data.length - TRAILER_BYTES), maxBytes);
}

function inflate(data: Uint8Array, maxBytes: number): Uint8Array {
  let out = new Uint8Array(Math.max(1_024, data.length * 4));
  let size = 0;
  let at = 0;
  let held = 0;
  let heldBits = 0;

  const broken = (): never => {
    throw new RangeError("The gzip data are broken.");
  };
  const bits = (count: number): number => {
    while (heldBits < count) {
      if (at >= data.length) broken();
      held |= (data[at++] ?? 0) << heldBits;
      heldBits += 8;
    }
    const value = held & ((1 << count) - 1);
    held >>>= count;
    heldBits -= count;
    return value;
  };
  const reserve = (count: number): void => {
    if (size + count > maxBytes) throw new RangeError(`The file is larger than ${maxBytes} bytes.`);
    if (size + count <= out.length) return;
    const larger = new Uint8Array(Math.max(out.length * 2, size + count));
    larger.set(out);
    out = larger;
  };
  const decode = ({ counts, symbols }: Code): number => {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length < 16; length++) {
      code |= bits(1);
      const count = counts[length] ?? 0;
      if (code - count < first) return symbols[index + code - first] ?? broken();
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return broken();
  };
  const stored = (): void => {
    held = heldBits = 0;
    const count = (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8);
    at += 4;
    if (at + count > data.length) broken();
    reserve(count);
    out.set(data.subarray(at, at + count), size);
    at += count;
    size += count;
  };
  const compressed = (literals: Code, distances: Code): void => {
    for (;;) {
      const symbol = decode(literals);
      if (symbol === 256) return;
      if (symbol < 256) {
        reserve(1);
        out[size++] = symbol;
        continue;
      }
      const length = (LENGTH_BASE[symbol - 257] ?? broken()) + bits(LENGTH_BITS[symbol - 257] ?? 0);
      const code = decode(distances);
      const distance = (DISTANCE_BASE[code] ?? broken()) + bits(DISTANCE_BITS[code] ?? 0);
      if (distance > size) broken();
      reserve(length);
      for (let copied = 0; copied < length; copied++, size++) out[size] = out[size - distance] ?? 0;
    }
  };
  const dynamic = (): void => {
    const literalCount = bits(5) + 257;
    const distanceCount = bits(5) + 1;
    const lengthCount = bits(4) + 4;
    const lengths = new Uint8Array(320);
    for (let index = 0; index < lengthCount; index++) lengths[ORDER[index] ?? 0] = bits(3);
    const lengthCode = codeOf(lengths.subarray(0, 19));
    const all = new Uint8Array(320);
    for (let index = 0; index < literalCount + distanceCount; ) {
      const symbol = decode(lengthCode);
      if (symbol < 16) {
        all[index++] = symbol;
        continue;
      }
      const repeated = symbol === 16 ? (all[index - 1] ?? broken()) : 0;
      const times = symbol === 16 ? 3 + bits(2) : symbol === 17 ? 3 + bits(3) : 11 + bits(7);
      all.fill(repeated, index, index + times);
      index += times;
    }
    compressed(codeOf(all.subarray(0, literalCount)), codeOf(all.subarray(literalCount, literalCount + distanceCount)));
  };

  for (let last = 0; last === 0; ) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) stored();
    else if (kind === 1) compressed(FIXED_LITERALS(), FIXED_DISTANCES());
    else if (kind === 2) dynamic();
    else broken();
  }
  return out.subarray(0, size);
}

const FIXED_LITERALS = () =>
  codeOf(Uint8Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)));
const FIXED_DISTANCES = () => codeOf(new Uint8Array(30).fill(5));

function codeOf(lengths: Uint8Array): Code {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const offsets = new Uint16Array(17);
  for (let length = 1; length < 16; length++) offsets[length + 1] = (offsets[length] ?? 0) + (counts[length] ?? 0);
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length > 0) {
      const place = offsets[length] ?? 0;
      symbols[place] = symbol;
      offsets[length] = place + 1;
    }
  });
  return { counts, symbols };
}

function codeTable(first: number, bitsOf: (code: number) => number, count: number): [number[], number[]] {
  const base: number[] = [];
  const bits: number[] = [];
  for (let code = 0, next = first; code < count; code++) {
    base.push(next);
    bits.push(bitsOf(code));
    next += 1 << bitsOf(code);
  }
  if (first === 3) {
    // The longest length has a code of its own, without further bits.
    base[28] = 258;
    bits[28] = 0;
  }
  return [base, bits];
}
