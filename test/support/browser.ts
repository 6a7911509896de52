/** A browser without a screen: cookies, redirects and forms over real HTTP. */
export interface TestBrowser {
  /**
   * Follows redirects until a page is shown, or until `stopAt` says that this URL is the end of the
   * way.
   */
  open(url: string, stopAt?: (url: URL) => boolean): Promise<TestPage>;
  submit(
    page: TestPage,
    fields?: Record<string, string>,
    stopAt?: (url: URL) => boolean,
  ): Promise<TestPage>;
}

export interface TestPage {
  url: URL;
  status: number;
  html: string;
  headers: Headers;
  /** Every URL on the way here, in order. */
  trail: URL[];
}

export function createTestBrowser({
  fetch = globalThis.fetch,
}: {
  fetch?: typeof globalThis.fetch;
} = {}): TestBrowser {
  const cookies = new Map<string, { host: string; path: string; name: string; value: string }>();

  async function go(
    method: "GET" | "POST",
    start: URL,
    body: URLSearchParams | undefined,
    stopAt?: (url: URL) => boolean,
  ): Promise<TestPage> {
    let request = { method, url: start, body };
    const trail: URL[] = [];
    for (let hop = 0; hop < 20; hop++) {
      trail.push(request.url);
      if (stopAt?.(request.url))
        return { url: request.url, status: 0, html: "", headers: new Headers(), trail };
      const response = await fetch(request.url, {
        method: request.method,
        redirect: "manual",
        headers: {
          cookie: [...cookies.values()]
            .filter(
              ({ host, path }) =>
                host === request.url.hostname && request.url.pathname.startsWith(path),
            )
            .map(({ name, value }) => `${name}=${value}`)
            .join("; "),
          ...(request.body === undefined
            ? {}
            : { "content-type": "application/x-www-form-urlencoded" }),
        },
        ...(request.body === undefined ? {} : { body: request.body.toString() }),
        signal: AbortSignal.timeout(60_000),
      });
      for (const text of response.headers.getSetCookie()) {
        const [pair = "", ...attributes] = text.split(";").map((part) => part.trim());
        const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? "/";
        const name = pair.slice(0, pair.indexOf("="));
        const value = pair.slice(pair.indexOf("=") + 1);
        cookies.set(`${request.url.hostname} ${path} ${name}`, {
          host: request.url.hostname,
          path,
          name,
          value,
        });
      }
      const location = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        request = { method: "GET", url: new URL(location, request.url), body: undefined };
        continue;
      }
      return {
        url: request.url,
        status: response.status,
        html: await response.text(),
        headers: response.headers,
        trail,
      };
    }
    throw new Error(`The pages lead in circles: ${trail.join(" → ")}`);
  }

  return {
    open: (url, stopAt) => go("GET", new URL(url), undefined, stopAt),
    submit(page, fields = {}, stopAt) {
      const form = /<form\b[^>]*>([\s\S]*?)<\/form>/.exec(page.html);
      if (form === null)
        throw new Error(`There is no form on ${page.url}: ${page.html.slice(0, 300)}`);
      const values = new URLSearchParams();
      for (const [input] of (form[1] ?? "").matchAll(/<input\b[^>]*>/g)) {
        const name = attribute(input, "name");
        const type = attribute(input, "type");
        if (
          name !== undefined &&
          (!["checkbox", "radio"].includes(type ?? "") || /\schecked/.test(input))
        )
          values.append(name, attribute(input, "value") ?? "");
      }
      for (const [name, value] of Object.entries(fields)) values.set(name, value);
      const action =
        attribute(form[0].slice(0, form[0].indexOf(">") + 1), "action") ?? page.url.href;
      return go("POST", new URL(action, page.url), values, stopAt);
    },
  };
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll("&amp;", "&");
}
