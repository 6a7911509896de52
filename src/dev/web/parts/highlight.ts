/** A piece of source text, and what it is. */
export interface Token {
  kind: "key" | "text" | "number" | "word" | "comment" | "plain";
  text: string;
}

const JSON_TOKEN =
  /(?<text>"(?:[^"\\]|\\.)*"?)|(?<number>-?\d[\d.eE+-]*)|(?<word>\b(?:true|false|null)\b)|(?<plain>[{}[\],:]|[^\s{}[\],:"]+)/g;
const CODE_TOKEN =
  /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)|(?<text>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(?<number>\b\d[\w.]*)|(?<word>\b(?:as|async|await|break|case|catch|class|const|continue|default|else|export|false|finally|for|from|function|if|import|in|instanceof|let|new|null|of|return|satisfies|switch|this|throw|true|try|type|typeof|undefined|while|yield)\b)/g;
/** Longer texts are shown as they are: colours are not worth the wait. */
const MAX_LENGTH = 100_000;

/** TypeScript or JavaScript, a line or more of it. */
export function highlightCode(source: string): Token[] {
  if (source.length > MAX_LENGTH) return [{ kind: "plain", text: source }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of source.matchAll(CODE_TOKEN)) {
    if (match.index > end) tokens.push({ kind: "plain", text: source.slice(end, match.index) });
    tokens.push({ kind: readKind(match), text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < source.length) tokens.push({ kind: "plain", text: source.slice(end) });
  return tokens;
}

/** JSON with line breaks and indentation, also if its end is missing. Other text stays as it is. */
export function highlightJson(source: string): Token[] {
  if (!/^\s*[[{]/.test(source) || source.length > MAX_LENGTH)
    return [{ kind: "plain", text: source }];
  const tokens: Token[] = [];
  let depth = 0;
  const breakLine = (): void => {
    tokens.push({ kind: "plain", text: `\n${"  ".repeat(Math.max(0, depth))}` });
  };
  const found = [...source.matchAll(JSON_TOKEN)];
  found.forEach((match, index) => {
    const [text] = match;
    const next = found[index + 1]?.[0];
    if (text === "}" || text === "]") {
      depth -= 1;
      if (!/^[[{]$/.test(found[index - 1]?.[0] ?? "")) breakLine();
    }
    const isKey = text.startsWith('"') && next === ":";
    tokens.push({ kind: isKey ? "key" : readKind(match), text });
    if (text === ":") tokens.push({ kind: "plain", text: " " });
    if (text === "{" || text === "[") depth += 1;
    if (text === "," || (/^[[{]$/.test(text) && !/^[\]}]$/.test(next ?? "}"))) breakLine();
  });
  return tokens;
}

function readKind({ groups = {} }: RegExpMatchArray): Token["kind"] {
  const kinds = ["comment", "text", "number", "word"] as const;
  return kinds.find((kind) => groups[kind] !== undefined) ?? "plain";
}
