import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it came over the wire. */
export interface WireRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  body: string;
  /** The body read as a form. */
  form: Readonly<Record<string, string>>;
}

export interface RecordingProxy extends AsyncDisposable {
  origin: string;
  requests: WireRequest[];
}

/** A server that hands every request on to another one on this machine, and keeps its bytes. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const requests: WireRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const { authorization, "content-type": type, accept } = request.headers;
    const method = request.method ?? "GET";
    const path = request.url ?? "/";
    requests.push({
      method,
      path,
      authorization,
      body,
      form: Object.fromEntries(new URLSearchParams(body)),
    });
    const headers = Object.entries({ authorization, "content-type": type, accept }).filter(
      (entry): entry is [string, string] => !!entry[1],
    );
    const answer = await fetch(target + path, {
      method,
      headers,
      redirect: "manual",
      ...(method === "GET" ? {} : { body }),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    response.writeHead(
      answer.status,
      Object.fromEntries(
        [...answer.headers].filter(
          ([name]) =>
            !/^(content-encoding|content-length|connection|transfer-encoding)$/.test(name),
        ),
      ),
    );
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
