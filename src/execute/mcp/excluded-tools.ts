/** How the protocol's client begins what it prints. */
const PREFIX = /^\[mcp-sdk\] /;

const listeners = new Set<(text: string) => void>();
let print: typeof console.warn | undefined;

/**
 * The protocol's client leaves out a tool whose declaration of headers is invalid, and prints why
 * to the console, with the name that the server gave it. A server must not write to a terminal.
 * @param onWarning receives what would be printed while `act` runs
 */
export async function catchWarnings<Result>(
  onWarning: (text: string) => void,
  act: () => Promise<Result>,
): Promise<Result> {
  listeners.add(onWarning);
  print ??= replaceWarn();
  try {
    return await act();
  } finally {
    listeners.delete(onWarning);
    if (listeners.size === 0 && print !== undefined) {
      console.warn = print;
      print = undefined;
    }
  }
}

function replaceWarn(): typeof console.warn {
  const original = console.warn;
  console.warn = (...parts: unknown[]) => {
    const [first] = parts;
    if (typeof first !== "string" || !PREFIX.test(first)) return original(...parts);
    for (const listener of listeners) listener(first.replace(PREFIX, ""));
  };
  return original;
}
