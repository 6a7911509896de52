import { sameSecret } from "../../../shared/crypto.ts";
import type { Envelope } from "../../contract/models/model.ts";
import { HttpError } from "./http-error.ts";
import type { ServiceCall } from "./service-call.ts";
import { sign } from "./signature.ts";

export interface ListOptions<Item, Shown> {
  /** Reads the parameters of the query; not called for a request with a page token. */
  parameters(): ListParameters & { limit: number };
  /**
   * The snapshot that a new listing reads, also for its later pages. @default items as they are now
   */
  seq?: number | undefined;
  /**
   * The items in their order: all of them, or up to a number of those that come after a key.
   */
  items(
    parameters: ListParameters,
    seq: number,
    page: ListPage,
  ): Promise<readonly Item[]> | readonly Item[];
  /** What the items are ordered by. */
  getSortKey(item: Item, parameters: ListParameters): readonly [value: string | number, id: string];
  render(item: Item, parameters: ListParameters): Shown;
}

export interface ListPage {
  after: readonly [value: string | number, id: string] | undefined;
  /** One more than is shown, so that a last page that is exactly full has no token. */
  limit: number;
}

/** Answers with one page of a list. */
export async function listResponse<Item, Shown>(
  call: ServiceCall,
  options: ListOptions<Item, Shown>,
): Promise<Envelope<Shown>> {
  const pageToken = call.query.get("pageToken");
  const content = pageToken === null ? undefined : readToken(call, pageToken, "page");
  const parameters = content?.parameters ?? options.parameters();
  const seq = content?.seq ?? options.seq ?? 0;
  const after = content?.after;
  const limit = Number(parameters["limit"]);
  const all = await options.items(parameters, seq, { after, limit: limit + 1 });
  const rest =
    after === undefined
      ? all
      : all.filter((item) => isAfter(options.getSortKey(item, parameters), after));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const next =
    last === undefined || page.length === rest.length
      ? undefined
      : writeToken(call, {
          use: "page",
          parameters,
          seq,
          after: options.getSortKey(last, parameters),
        });
  return {
    items: page.map((item) => options.render(item, parameters)),
    ...listLinks(call, parameters, next),
  };
}

/** The links of a list. */
export function listLinks(
  call: ServiceCall,
  parameters: ListParameters,
  nextPageToken: string | undefined,
) {
  const url = `${call.root}${call.path}`;
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return {
    href: `${url}?${query}`,
    ...(nextPageToken === undefined
      ? {}
      : { nextPageToken, nextPageLink: `${url}?pageToken=${encodeURIComponent(nextPageToken)}` }),
  };
}

function isAfter(
  key: readonly [string | number, string],
  last: readonly [string | number, string],
): boolean {
  return key[0] === last[0] ? key[1] > last[1] : key[0] > last[0];
}

/** Parameters that a token implies, so that the next request needs no other. */
export type ListParameters = Readonly<Record<string, string | number | boolean>>;

export interface TokenContent {
  use: "page" | "sync";
  parameters: ListParameters;
  /** The snapshot that the listing reads, or after which changes are listed. */
  seq: number;
  /** The last item that was listed: what it is ordered by, and its id. */
  after?: readonly [value: string | number, id: string] | undefined;
  /** How many items the earlier pages had. */
  listed?: number | undefined;
}

const LIFETIME_MS = 24 * 60 * 60_000;
const MAX_TOKEN_LENGTH = 8_192;

/** Writes a token that is valid only for the same caller and the same path. */
export function writeToken(call: ServiceCall, content: TokenContent): string {
  const issuedAtMs = call.state.clock.now();
  // The spread is last, because V8 keeps a new hidden class for each member that is added after it.
  const text = Buffer.from(
    JSON.stringify({ path: call.path, userId: call.caller.userId, issuedAtMs, ...content }),
  ).toString("base64url");
  return `${text}.${sign(call.state, text)}`;
}

/**
 * @throws {HttpError} 400 for a token that was altered, belongs to another caller or list, or is
 * too old
 */
export function readToken(
  call: ServiceCall,
  token: string,
  use: TokenContent["use"],
): TokenContent {
  const { state, path, caller } = call;
  const [text = "", signature = "", ...rest] =
    token.length > MAX_TOKEN_LENGTH ? [] : token.split(".");
  if (rest.length > 0 || !sameSecret(signature, sign(state, text))) throw invalid();
  const content = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  if (content.use !== use || content.path !== path || content.userId !== caller.userId)
    throw invalid();
  if (use === "page" && state.clock.now() - content.issuedAtMs > LIFETIME_MS) throw invalid();
  return content;
}

function invalid(): HttpError {
  return new HttpError(400, "Invalid pageToken.");
}
