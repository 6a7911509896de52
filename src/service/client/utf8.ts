/** Text of UTF-8 bytes, without any API of Node or the Web. What is no UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = "";
  let units: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at++] ?? 0;
    const more = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    let code = more === 0 ? lead : lead & (0x3f >> more);
    let read = 0;
    for (; read < more && ((bytes[at] ?? 0) & 0xc0) === 0x80; read++) code = (code << 6) | ((bytes[at++] ?? 0) & 0x3f);
    const least = [0, 0x80, 0x800, 0x10000][more] ?? 0;
    const wrong = read < more || code < least || code > 0x10ffff || (lead >= 0x80 && lead < 0xc0) || (code >> 11 === 0x1b && more === 2);
    if (wrong) code = 0xfffd;
    if (code > 0xffff) units.push(0xd7c0 + (code >> 10), 0xdc00 | (code & 0x3ff));
    else units.push(code);
    if (units.length > 8_000) {
      text += String.fromCharCode(...units);
      units = [];
    }
  }
  return text + String.fromCharCode(...units);
}
