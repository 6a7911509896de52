import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { formatSeconds, limitedSignal } from "../../shared/time.ts";

export interface PutOptions {
  signal?: AbortSignal | undefined;
  /** Receives how many bytes have left. */
  onProgress?: ((sentBytes: number) => void) | undefined;
  /** How long the store may take no bytes and give no answer, in milliseconds. @default 30_000 */
  idleMs?: number | undefined;
  /**
   * How long the request may take, in milliseconds. An upload URL is not valid for longer. @default
   * 900_000
   */
  totalMs?: number | undefined;
}

/** What the store answered. */
export interface PutAnswer {
  status: number;
  /** The reason in the body, as a sentence without its full stop; empty without one. */
  message: string;
}

const CHUNK_BYTES = 256 * 1_024;
const MAX_ANSWER_BYTES = 10_000;

/**
 * Sends bytes to an upload URL, once. A slow store is waited for as long as it takes bytes.
 * @throws the network's error, or that of a limit
 */
export function putBytes(
  { uploadUrl, headers }: { uploadUrl: string; headers: Record<string, string> },
  bytes: Buffer,
  { signal, onProgress, idleMs = 30_000, totalMs = 900_000 }: PutOptions = {},
): Promise<PutAnswer> {
  return new Promise((resolve, reject) => {
    const limit = limitedSignal(totalMs, signal);
    const request = (new URL(uploadUrl).protocol === "https:" ? httpsRequest : httpRequest)(
      uploadUrl,
      {
        method: "PUT",
        // A signed address counts the bytes, so they are not sent in chunks of unknown number.
        headers: { ...headers, "content-length": bytes.byteLength },
        signal: limit,
        // Counts from the first attempt to connect; setTimeout() would count from the connection.
        timeout: idleMs,
      },
    );
    request.once("timeout", () =>
      request.destroy(
        new DOMException(`the store accepted no data for ${formatSeconds(idleMs)}`, "TimeoutError"),
      ),
    );
    let hasAnswer = false;
    request.on("error", (error) => {
      // A store that refuses early answers, and then closes the connection.
      if (!hasAnswer)
        reject(
          limit.aborted && signal?.aborted !== true
            ? new Error(`the upload took longer than ${formatSeconds(totalMs)}`)
            : error,
        );
    });
    request.once("response", (response) => {
      hasAnswer = true;
      const parts: Buffer[] = [];
      let size = 0;
      const end = () => {
        resolve({
          status: response.statusCode ?? 0,
          message: formatMessage(Buffer.concat(parts).toString("utf8")),
        });
        // It may have answered without reading everything; the rest is not sent.
        request.destroy();
      };
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) end();
        else parts.push(chunk);
      });
      response.once("error", reject);
      response.once("end", end);
    });
    let at = 0;
    const sendMore = (): void => {
      while (at < bytes.byteLength && !hasAnswer) {
        const chunk = bytes.subarray(at, at + CHUNK_BYTES);
        at += chunk.byteLength;
        const isRoom = request.write(chunk);
        onProgress?.(at);
        if (!isRoom) return void request.once("drain", sendMore);
      }
      request.end();
    };
    sendMore();
  });
}

/** Stores answer in XML, with `<Message>` and `<Code>`; some registries in JSON. */
function formatMessage(text: string): string {
  const element = (name: string) =>
    new RegExp(`<${name}>([^<]*)</${name}>`, "i").exec(text)?.[1]?.trim() ?? "";
  const [message, code] = [element("Message"), element("Code")];
  if (message !== "" || code !== "")
    return message === "" ? code : `${decodeEntities(message).replace(/\.$/, "")} (${code})`;
  try {
    return String((JSON.parse(text) as { message?: unknown }).message ?? "").replace(/\.$/, "");
  } catch {
    return "";
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
