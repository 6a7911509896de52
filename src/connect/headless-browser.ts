import { PackError } from "../errors.ts";
import { cleanProviderText } from "../oauth/token-failure.ts";
import { limitedSignal } from "../shared/time.ts";
import { canParseUrl } from "../shared/urls.ts";

export interface HeadlessBrowserOptions {
  /** Which button to press on the consent page. @default "approve" */
  decision?: "approve" | "deny" | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  signal?: AbortSignal | undefined;
}

/** A page that was visited. */
export interface Visit {
  method: "GET" | "POST";
  /** Without the query, which may contain an authorization code. */
  url: string;
  status: number;
}

/** Where a walk has ended. */
export interface HeadlessWalk {
  visits: Visit[];
  last: Visit;
  /** The visible text of the last page, shortened; undefined without one. */
  text: string | undefined;
}

const MAX_HOPS = 20;
const MAX_PAGE_BYTES = 200_000;
const HOP_TIMEOUT_MS = 10_000;
/** As much of a page as its message needs. */
const MAX_READ_CHARACTERS = 10_000;

/**
 * Goes through the local provider's login and consent pages as a browser would: with cookies,
 * redirects and forms over HTTP.
 * It sends requests only to loopback addresses, so it cannot log in at a real provider.
 * @returns the visited pages; after a flow, the last one is the result page of the callback server
 * @throws {PackError} OAUTH_HEADLESS_REFUSED when a redirect leaves this machine or a page cannot
 *   be read
 */
export async function walkHeadless(
  startUrl: string,
  options: HeadlessBrowserOptions = {},
): Promise<HeadlessWalk> {
  const { decision = "approve" } = options;
  const cookies = createCookieJar();
  const visits: Visit[] = [];
  let next: { method: "GET" | "POST"; url: URL; body?: URLSearchParams } = {
    method: "GET",
    url: new URL(startUrl),
  };
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (!["127.0.0.1", "localhost", "[::1]"].includes(next.url.hostname))
      throw createRefusal(`the provider is at ${next.url.host}, not on this machine`);
    const response = await request(next, cookies, options);
    const last = {
      method: next.method,
      url: next.url.origin + next.url.pathname,
      status: response.status,
    };
    visits.push(last);
    cookies.store(next.url, response.headers.getSetCookie());
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      // Read the body: cancelling it would close the connection.
      await readText(response);
      next = { method: "GET", url: parseAddress(location, next.url) };
      continue;
    }
    const page = await readText(response);
    const target = readFragmentTarget(page);
    if (target !== undefined) {
      const params = next.url.hash.split("?").slice(1).join("?");
      next = { method: "GET", url: parseAddress(target + params, next.url) };
      continue;
    }
    const form = readForm(page, decision);
    if (form === undefined) return { visits, last, text: visibleText(page) };
    next = { method: "POST", url: parseAddress(form.action, next.url), body: form.fields };
  }
  throw createRefusal("the pages redirect in circles");
}

function parseAddress(text: string, base: URL): URL {
  if (canParseUrl(text, base.href)) return new URL(text, base);
  throw createRefusal(`a page of ${base.host} leads to an address that is not a valid URL`);
}

/** What a person would read on a page: no styles, scripts and tags. */
function visibleText(html: string): string | undefined {
  const text = html
    .slice(0, MAX_READ_CHARACTERS)
    .replace(/<(head|style|script)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ");
  return cleanProviderText(withoutEntities(text));
}

async function request(
  { method, url, body }: { method: string; url: URL; body?: URLSearchParams },
  cookies: CookieJar,
  options: HeadlessBrowserOptions,
): Promise<Response> {
  const headers: Record<string, string> = { accept: "text/html", cookie: cookies.header(url) };
  if (method === "POST")
    Object.assign(headers, {
      "content-type": "application/x-www-form-urlencoded",
      origin: url.origin,
    });
  try {
    return await (options.fetch ?? globalThis.fetch)(url, {
      method,
      headers,
      redirect: "manual",
      signal: limitedSignal(HOP_TIMEOUT_MS, options.signal),
      ...(body === undefined ? {} : { body: body.toString() }),
    });
  } catch (error) {
    throw createRefusal(`nothing answers at ${url.origin}`, error);
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_PAGE_BYTES)
      throw createRefusal("a page is too large to be the local provider's");
  }
  return text;
}

/**
 * A page of the local provider whose script moves the parameters of the fragment into a query.
 * @returns the URL to add them to
 */
function readFragmentTarget(html: string): string | undefined {
  const [tag] = /<p\b[^>]*\bdata-packsmith-fragment="[^>]*>/.exec(html) ?? [];
  return tag === undefined ? undefined : attribute(tag, "data-packsmith-fragment");
}

/**
 * Reads the form that the local provider marks for this purpose: its hidden values, its default
 * choices and the button to press.
 */
function readForm(
  html: string,
  decision: string,
): { action: string; fields: URLSearchParams } | undefined {
  const form = /<form\b[^>]*\bdata-packsmith="(?:login|consent)"[^>]*>([\s\S]*?)<\/form>/.exec(
    html,
  );
  if (form === null) return undefined;
  const action = attribute(form[0].slice(0, form[0].indexOf(">") + 1), "action") ?? "";
  const fields = new URLSearchParams();
  for (const [tag] of (form[1] ?? "").matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(tag, "name");
    const type = attribute(tag, "type") ?? "text";
    const chosen = type === "checkbox" || type === "radio" ? /\schecked\b/.test(tag) : true;
    if (name !== undefined && chosen) fields.append(name, attribute(tag, "value") ?? "");
  }
  const buttons = [...(form[1] ?? "").matchAll(/<button\b[^>]*>/g)].map(([tag]) => ({
    name: attribute(tag, "name"),
    value: attribute(tag, "value") ?? "",
  }));
  const pressed =
    buttons.find(({ name, value }) => name === "decision" && value === decision) ??
    buttons.find(({ name }) => name !== undefined && name !== "decision");
  if (pressed?.name !== undefined) fields.append(pressed.name, pressed.value);
  return { action, fields };
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : withoutEntities(value);
}

function withoutEntities(text: string): string {
  return text.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(amp|lt|gt|quot|apos));/gi,
    (_, decimal?: string, hex?: string, word?: string) =>
      word === undefined
        ? decodeCharacter(
            decimal === undefined ? Number.parseInt(hex ?? "20", 16) : Number(decimal),
          )
        : (ENTITIES[word] ?? ""),
  );
}

function decodeCharacter(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

interface CookieJar {
  header(url: URL): string;
  store(url: URL, setCookies: readonly string[]): void;
}

/** Cookies ignore ports, so the host name is the key. */
function createCookieJar(): CookieJar {
  const jar = new Map<string, { host: string; path: string; pair: string }>();
  return {
    header: ({ hostname, pathname }) =>
      [...jar.values()]
        .filter(({ host, path }) => host === hostname && pathname.startsWith(path))
        .map(({ pair }) => pair)
        .join("; "),
    store({ hostname }, setCookies) {
      for (const text of setCookies) {
        const [pair = "", ...attributes] = text.split(";").map((part) => part.trim());
        const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? "/";
        const key = `${hostname} ${path} ${pair.slice(0, pair.indexOf("="))}`;
        if (
          attributes.some(
            (part) => /^max-age=0$/i.test(part) || /^expires=Thu, 01 Jan 1970/i.test(part),
          )
        )
          jar.delete(key);
        else jar.set(key, { host: hostname, path, pair });
      }
    },
  };
}

function createRefusal(reason: string, cause?: unknown): PackError {
  return new PackError(
    "OAUTH_HEADLESS_REFUSED",
    `Connecting without a browser stopped: ${reason}.`,
    {
      details: { reason },
      hint: "--headless works only with packsmith provider on this machine. For other providers, remove --headless.",
      cause,
    },
  );
}
