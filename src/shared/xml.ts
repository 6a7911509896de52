/**
 * An element as Packs see it: its text, or an object with a list of children for each name, its
 * attributes under `$` and its
 * own text under `_`.
 */
export type XmlValue = string | { [name: string]: XmlValue[] | Record<string, string> | string };

/** A deeper document could exhaust the stack of code that walks it. */
const MAX_DEPTH = 200;
const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};

/** An element of a document that is being read. */
export interface XmlElement {
  name: string;
  children: Record<string, XmlValue[]>;
  attributes: Record<string, string>;
  /** The element's own text, without the text of its children. */
  text: string;
  /** Whether there is text other than white space, or a CDATA section. */
  hasText: boolean;
}

/**
 * Reads an XML document; the name of the root element is dropped. Only character references and the
 * five entities of XML are
 * replaced: entities that a document type defines are not.
 * @returns undefined when the document is not well-formed
 */
export function parseXml(text: string): XmlValue | undefined {
  let root: XmlValue | undefined;
  const isXml = walkXml(text, (element, parent) => {
    const value = readContent(element);
    if (parent === undefined) root = value;
    else if (Object.hasOwn(parent.children, element.name))
      parent.children[element.name]?.push(value);
    else set(parent.children, element.name, [value]);
  });
  return isXml ? root : undefined;
}

/**
 * Reads an XML document as `parseXml` does, but keeps only the elements that are open.
 * @param onElement called at the end of each element
 * @returns whether the document is well-formed, which is only known at its end
 */
export function walkXml(
  text: string,
  onElement: (element: XmlElement, parent: XmlElement | undefined) => void,
): boolean {
  // One token per match: comment, CDATA, processing instruction, declaration, tag, or text up to
  // the next of them.
  const tokens =
    /<!--([\s\S]*?)-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE(?:[^[<>]|\[[^\]]*\])*>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/giy;
  const open: XmlElement[] = [];
  let isOver = false;
  const close = (element: XmlElement, parent: XmlElement | undefined): void => {
    onElement(element, parent);
    isOver = parent === undefined;
  };
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    tokens.lastIndex = at;
    const token = tokens.exec(text);
    if (token === null) return false;
    at = tokens.lastIndex;
    const [, , data, closing, opening, attributes = "", selfClosing, plain] = token;
    const current = open.at(-1);
    if (closing !== undefined) {
      if (current?.name !== closing) return false;
      open.pop();
      close(current, open.at(-1));
    } else if (opening !== undefined) {
      if (isOver || open.length >= MAX_DEPTH) return false;
      const element = openElement(opening, attributes);
      if (element === undefined) return false;
      if (selfClosing === "/") close(element, current);
      else open.push(element);
    } else if (data !== undefined || plain !== undefined) {
      const found = data ?? decode(plain ?? "");
      if (current !== undefined) {
        current.text += found;
        current.hasText ||= data !== undefined || /\S/.test(found);
      } else if (/\S/.test(found)) return false;
    }
  }
  return isOver && open.length === 0;
}

function openElement(name: string, text: string): XmlElement | undefined {
  const attributes: Record<string, string> = {};
  for (const [, key = "", quoted = ""] of text.matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
    if (Object.hasOwn(attributes, key)) return undefined;
    set(attributes, key, detach(decode(quoted.slice(1, -1))));
  }
  return { name, children: {}, attributes, text: "", hasText: false };
}

function readContent({ children, attributes, text, hasText }: XmlElement): XmlValue {
  const hasAttributes = Object.keys(attributes).length > 0;
  if (!hasAttributes && Object.keys(children).length === 0) return detach(text);
  const value: Record<string, XmlValue[] | Record<string, string> | string> = {};
  if (hasAttributes) value["$"] = attributes;
  if (hasText) value["_"] = detach(text);
  for (const [name, list] of Object.entries(children)) set(value, name, list);
  return value;
}

/**
 * A copy of a part of a text. In V8, a part of at least 13 characters keeps the complete text in
 * memory; the sum of two texts is copied when it is cut.
 */
function detach(part: string): string {
  return part.length < 13 ? part : ` ${part}`.slice(1);
}

/** Names come from a server, so `__proto__` must become an ordinary member. */
function set<Value>(target: Record<string, Value>, name: string, value: Value): void {
  Object.defineProperty(target, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function decode(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (found, decimal, hex, name) => {
      if (name !== undefined)
        return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? found) : found;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : found;
    });
}
