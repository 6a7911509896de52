import { once } from "node:events";
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
    event: async (method: string, fits: (params: Record<string, unknown>) => boolean = () => true) =>
      (await next((message) => message.method === method && fits(message.params ?? {}))).params ?? {},
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
