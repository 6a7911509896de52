/**
 * A browser for tests: it keeps cookies, reads forms and follows redirects one by one, over real
 * HTTP.
 */
export interface HeadlessClient {
  request(url: string, init?: RequestInit): Promise<Response>;
  /**
   * Walks from an authorization URL through login and consent. @returns where the provider sends
   * the browser in the end
   */
  authorize(authorizationUrl: string, choice?: Choice): Promise<URL>;
}

export interface Choice {
  decision?: "approve" | "deny";
  user?: string;
  /** The scopes that stay ticked. @default all of them */
  scopes?: readonly string[];
}

export interface Form {
  purpose: string;
  action: string;
  fields: [name: string, value: string][];
}

export function createHeadlessClient(): HeadlessClient {
  const cookies = new Map<string, string>();
  const request = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: { cookie, ...(init.headers as Record<string, string>) },
    });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  return {
    request,
    async authorize(authorizationUrl, choice = {}) {
      const { origin } = new URL(authorizationUrl);
      let url = authorizationUrl;
      let response = await request(url);
      for (let hop = 0; hop < 10; hop++) {
        const location = response.headers.get("location");
        if (location !== null) {
          url = new URL(location, url).href;
          await response.body?.cancel();
          if (!url.startsWith(`${origin}/`)) return new URL(url);
          response = await request(url);
          continue;
        }
        const html = await response.text();
        const form = readForm(html);
        if (form === undefined)
          throw new Error(`${response.status} without a form: ${html.slice(0, 2_000)}`);
        url = new URL(form.action, url).href;
        response = await request(url, { method: "POST", body: fill(form, choice) });
      }
      throw new Error("The pages lead in circles.");
    },
  };
}

export function fill(form: Form, { decision = "approve", user, scopes }: Choice): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, value] of form.fields) {
    if (name === "user" && user !== undefined) body.set("user", user);
    else if (name !== "scope" || scopes === undefined || scopes.includes(value))
      body.append(name, value);
  }
  body.append("decision", form.purpose === "login" ? "approve" : decision);
  return body;
}

export function readForm(html: string): Form | undefined {
  const [, head = "", content = ""] = /<form\b([^>]*)>([\s\S]*?)<\/form>/.exec(html) ?? [];
  const purpose = attribute(head, "data-packsmith");
  if (purpose === undefined) return undefined;
  const inputs = [...content.matchAll(/<input\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => attribute(tag, "type") === "hidden" || /\schecked\b/.test(tag));
  return {
    purpose,
    action: attribute(head, "action") ?? "",
    fields: inputs.map((tag) => [attribute(tag, "name") ?? "", attribute(tag, "value") ?? ""]),
  };
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
