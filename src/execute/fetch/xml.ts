/** An element as older Packs know it: its text, or its children by name in lists, attributes under `$`, text beside them under `_`. */
export type XmlValue = string | { [name: string]: XmlValue[] | Record<string, string> | string };

/** Deeper documents are no data, and would exhaust whoever walks them. */
const MAX_DEPTH = 200;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

interface OpenElement {
  name: string;
  children: Record<string, XmlValue[]>;
  attributes: Record<string, string>;
  text: string;
  /** Text that is not only white space, or a CDATA section. */
  hasText: boolean;
}

/**
 * Reads an XML document without its root element's name. Entities other than the five of XML and character references stay
 * as they are: a document type never defines any here.
 * @returns undefined when the text is no well-formed document
 */
export function parseXml(text: string): XmlValue | undefined {
  // One token per match: comment, CDATA, processing instruction, declaration, tag, or text up to the next of them.
  const tokens =
    /<!--([\s\S]*?)-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE(?:[^[<>]|\[[^\]]*\])*>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/giy;
  const open: OpenElement[] = [];
  let root: XmlValue | undefined;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    tokens.lastIndex = at;
    const token = tokens.exec(text);
    if (token === null) return undefined;
    at = tokens.lastIndex;
    const [, , data, closing, opening, attributes = "", selfClosing, plain] = token;
    const current = open.at(-1);
    if (closing !== undefined) {
      if (current?.name !== closing) return undefined;
      open.pop();
      root = close(current, open.at(-1)) ?? root;
    } else if (opening !== undefined) {
      if (root !== undefined || open.length >= MAX_DEPTH) return undefined;
      const element = openElement(opening, attributes);
      if (element === undefined) return undefined;
      if (selfClosing === "/") root = close(element, current) ?? root;
      else open.push(element);
    } else if (data !== undefined || plain !== undefined) {
      const found = data ?? decode(plain ?? "");
      if (current !== undefined) {
        current.text += found;
        current.hasText ||= data !== undefined || /\S/.test(found);
      } else if (/\S/.test(found)) return undefined;
    }
  }
  return open.length === 0 ? root : undefined;
}

function openElement(name: string, text: string): OpenElement | undefined {
  const attributes: Record<string, string> = {};
  for (const [, key = "", quoted = ""] of text.matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
    if (Object.hasOwn(attributes, key)) return undefined;
    set(attributes, key, decode(quoted.slice(1, -1)));
  }
  return { name, children: {}, attributes, text: "", hasText: false };
}

/** Hands a finished element to its parent. @returns its value when it is the root */
function close(element: OpenElement, parent: OpenElement | undefined): XmlValue | undefined {
  const value = contentOf(element);
  if (parent === undefined) return value;
  if (Object.hasOwn(parent.children, element.name)) parent.children[element.name]?.push(value);
  else set(parent.children, element.name, [value]);
  return undefined;
}

function contentOf({ children, attributes, text, hasText }: OpenElement): XmlValue {
  const hasAttributes = Object.keys(attributes).length > 0;
  if (!hasAttributes && Object.keys(children).length === 0) return text;
  const value: Record<string, XmlValue[] | Record<string, string> | string> = {};
  if (hasAttributes) value["$"] = attributes;
  if (hasText) value["_"] = text;
  for (const [name, list] of Object.entries(children)) set(value, name, list);
  return value;
}

/** Names come from a server: `__proto__` must be a member like any other. */
function set<Value>(target: Record<string, Value>, name: string, value: Value): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

function decode(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (found, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? found) : found;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : found;
  });
}
