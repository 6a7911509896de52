/**
 * Reads a `Cookie` header (RFC 6265 §4.2). A browser sends two cookies of one name when another
 * server of the same host has set one for another path, and does not say which is whose. Neither
 * counts then: a request must not get in with a cookie that someone else has put first or last.
 */
export function readCookies(header = ""): Map<string, string> {
  const cookies = new Map<string, string>();
  const repeated = new Set<string>();
  for (const pair of header.split(";")) {
    const end = pair.indexOf("=");
    if (end === -1) continue;
    const name = pair.slice(0, end).trim();
    if (cookies.has(name)) repeated.add(name);
    cookies.set(name, pair.slice(end + 1).trim());
  }
  for (const name of repeated) cookies.delete(name);
  return cookies;
}
