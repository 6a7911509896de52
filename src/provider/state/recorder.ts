import type { ClientAuthenticationMethod } from "../profile.ts";

/** A request to the provider, without its secrets. */
export interface RecordedRequest {
  method: string;
  /** Without the query. */
  path: string;
  /** Query and form parameters. Secret values are masked. A repeated parameter is a list. */
  parameters: Record<string, string | string[]>;
  clientAuthentication: ClientAuthenticationMethod | undefined;
  /** Parameters of the URL that contained a secret; `path` if the path did. */
  secretsInUrl: string[];
  atMs: number;
  /** Undefined until the response is sent, and if the connection was dropped. */
  status: number | undefined;
}

export interface Recorder {
  readonly requests: readonly RecordedRequest[];
  /** Records a request before it is handled. */
  begin(method: string, url: URL): RecordedRequest;
  addForm(request: RecordedRequest, form: URLSearchParams): void;
  /** The requests with a client secret, code verifier, code or token in their URL. */
  findSecretInUrls(): readonly RecordedRequest[];
  clear(): void;
}

const MAX_REQUESTS = 10_000;
const MASK = "••••";
const SECRET_PARAMETERS = new Set([
  "access_token",
  "assertion",
  "client_assertion",
  "client_secret",
  "code",
  "code_verifier",
  "device_code",
  "csrf",
  "password",
  "refresh_token",
  "token",
]);

/** @param options.isSecret whether this provider issued the value as a secret */
export function createRecorder({
  now,
  isSecret,
}: {
  now: () => number;
  isSecret: (value: string) => boolean;
}): Recorder {
  const requests: RecordedRequest[] = [];
  const hides = (name: string, value: string) =>
    value !== "" && (SECRET_PARAMETERS.has(name) || isSecret(value));
  const add = (request: RecordedRequest, search: URLSearchParams) => {
    for (const [name, value] of search) {
      const shown = hides(name, value) ? MASK : value;
      const earlier = Object.hasOwn(request.parameters, name)
        ? request.parameters[name]
        : undefined;
      // A request of 128 kB repeats a parameter 60,000 times.
      if (Array.isArray(earlier)) earlier.push(shown);
      else request.parameters[name] = earlier === undefined ? shown : [earlier, shown];
    }
  };
  return {
    requests,
    begin(method, url) {
      const segments = url.pathname.split("/");
      const secretPath = segments.some((segment) => segment !== "" && isSecret(segment));
      const request: RecordedRequest = {
        method,
        path: segments.map((segment) => (isSecret(segment) ? MASK : segment)).join("/"),
        // Without a prototype, __proto__ is a parameter like any other.
        parameters: Object.create(null) as Record<string, string>,
        clientAuthentication: undefined,
        secretsInUrl: [
          ...(secretPath ? ["path"] : []),
          ...[...url.searchParams]
            .filter(([name, value]) => hides(name, value))
            .map(([name]) => name),
        ],
        atMs: now(),
        status: undefined,
      };
      add(request, url.searchParams);
      requests.push(request);
      if (requests.length > MAX_REQUESTS) requests.shift();
      return request;
    },
    addForm: add,
    findSecretInUrls: () => requests.filter(({ secretsInUrl }) => secretsInUrl.length > 0),
    clear: () => void requests.splice(0),
  };
}
