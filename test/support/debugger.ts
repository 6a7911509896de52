import { once } from "node:events";
import { SourceMap } from "node:module";
import { WebSocket } from "ws";

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** What an editor does with the inspector protocol. */
export async function attachDebugger(url: string) {
  const socket = new WebSocket(url);
  await once(socket, "open");
  const listeners = new Set<(message: Message) => void>();
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as Message;
    for (const listener of listeners) listener(message);
  });
  const closed = new Promise<never>((_, reject) => {
    socket.once("close", () => reject(new Error("The inspected process has ended.")));
  });
  closed.catch(() => undefined);
  const next = (fits: (message: Message) => boolean): Promise<Message> => {
    const message = new Promise<Message>((resolve) => {
      const listener = (message: Message) => {
        if (!fits(message)) return;
        listeners.delete(listener);
        resolve(message);
      };
      listeners.add(listener);
    });
    return Promise.race([message, closed]);
  };
  let lastId = 0;
  return {
    event: async (
      method: string,
      fits: (params: Record<string, unknown>) => boolean = () => true,
    ) =>
      (await next((message) => message.method === method && fits(message.params ?? {}))).params ??
      {},
    async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
      const id = ++lastId;
      const answer = next((message) => message.id === id);
      socket.send(JSON.stringify({ id, method, params }));
      const { result, error } = await answer;
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result ?? {};
    },
    /** Sends what ends the process, which may end before it answers. */
    sendLast: (method: string) => socket.send(JSON.stringify({ id: ++lastId, method })),
    close: () => socket.close(),
  };
}

/**
 * Attaches to a process that waits, stops it at a line of a source as editors do, and lets it run
 * until there.
 * @param source URL of a file that is in the source map of the Pack
 * @param line from 1
 */
export async function stopAt(url: string, source: string, line: number) {
  const editor = await attachDebugger(url);
  await editor.send("Debugger.enable");
  // Editors stop before a script that has a source map, to set the breakpoints of its sources.
  await editor.send("Debugger.setInstrumentationBreakpoint", {
    instrumentation: "beforeScriptWithSourceMapExecution",
  });
  const parsed = editor.event("Debugger.scriptParsed", ({ sourceMapURL }) =>
    String(sourceMapURL).startsWith("data:"),
  );
  const loading = editor.event("Debugger.paused", ({ reason }) => reason === "instrumentation");
  await editor.send("Runtime.runIfWaitingForDebugger");
  const script = await parsed;
  await loading;
  const { lineNumber, columnNumber } = generatedPlace(String(script["sourceMapURL"]), source, line);
  await editor.send("Debugger.setBreakpoint", {
    location: { scriptId: script["scriptId"], lineNumber, columnNumber },
  });
  const paused = editor.event("Debugger.paused", ({ reason }) => reason !== "instrumentation");
  await editor.send("Debugger.resume");
  const [frame] = (await paused)["callFrames"] as {
    functionName: string;
    callFrameId: string;
    location: { lineNumber: number };
  }[];
  return { editor, frame, lineNumber };
}

/**
 * The first place in the script that comes from a line of a source. Lines of the protocol count
 * from 0.
 */
function generatedPlace(sourceMapUrl: string, source: string, line: number) {
  const map = JSON.parse(Buffer.from(sourceMapUrl.split(",")[1] ?? "", "base64").toString()) as {
    sourcesContent: string[];
    sources: string[];
  };
  if (!map.sources.includes(source))
    throw new Error(`${source} is not in the source map: ${map.sources.join(", ")}`);
  const decoded = new SourceMap(map as ConstructorParameters<typeof SourceMap>[0]);
  for (let lineNumber = 0; lineNumber < 10_000; lineNumber++) {
    for (let columnNumber = 0; columnNumber < 60; columnNumber++) {
      const entry = decoded.findEntry(lineNumber, columnNumber);
      if (
        "originalSource" in entry &&
        entry.originalSource === source &&
        entry.originalLine === line - 1
      )
        return { lineNumber, columnNumber };
    }
  }
  throw new Error(`No code comes from line ${line}.`);
}
