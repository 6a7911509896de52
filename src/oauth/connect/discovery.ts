import {
  allowInsecureRequests,
  type Configuration,
  customFetch,
  discovery,
  None,
} from "openid-client";
import { isLoopbackHost } from "../../define/hosts.ts";
import { isPackError, PackError } from "../../errors.ts";
import { createDebugLog } from "../../shared/debug-log.ts";
import { parseUrl } from "../../shared/urls.ts";
import { isRecord } from "../../shared/values.ts";
import { callLibrary } from "../call-library.ts";
import type { OAuthDefinition } from "../definition.ts";
import { DPOP_ALGORITHM } from "../dpop.ts";
import { NO_ROUTES } from "../routes.ts";
import type { TransportOptions } from "../send.ts";
import { createServerFetch } from "../server-fetch.ts";
import { cleanProviderText } from "../token-failure.ts";
import { checkUrl, namedUrl } from "../url-policy.ts";
import type { AuthorizationServer } from "./server-configuration.ts";

const debug = createDebugLog("oauth");

export interface DiscoverServerOptions extends TransportOptions {
  definition: OAuthDefinition;
  /** The issuer identifier: an https URL. Its metadata must name the same issuer. */
  issuer: string;
}

/** What a server's metadata says about it. */
export interface DiscoveredServer extends AuthorizationServer {
  issuer: string;
  /** The token endpoint for clients that show a certificate, if it is another one (RFC 8705 §5). */
  certificateTokenUrl?: string | undefined;
  introspectionUrl: string | undefined;
  scopes: readonly string[] | undefined;
  codeChallengeMethods: readonly string[] | undefined;
  grantTypes: readonly string[] | undefined;
  /** How a client may authenticate at the token endpoint. */
  clientAuthenticationMethods: readonly string[] | undefined;
  registrationUrl: string | undefined;
  /** Members of the metadata with an address that must not be used, such as `token_endpoint`. */
  unusableEndpoints: readonly string[];
  /**
   * Whether a client ID can be the URL of a document about the client (OAuth Client ID Metadata
   * Document).
   */
  readsClientMetadata: boolean;
}

/**
 * Reads a server's metadata: RFC 8414 first, then OpenID Connect Discovery. The path of an issuer
 * goes behind the well-known one, and with
 * OpenID Connect also before it: the order is that of the MCP authorization specification.
 * @throws {PackError} OAUTH_DISCOVERY_FAILED when the server has neither, or when the metadata is
 *   of another issuer; the message says
 *   what each address answered
 * @throws {PackError} URL_NOT_ALLOWED
 */
export async function discoverServer(options: DiscoverServerOptions): Promise<DiscoveredServer> {
  const { definition, issuer } = options;
  const url = checkUrl(issuer);
  const answers: DiscoveryAnswer[] = [];
  const read = (algorithm: "oauth2" | "oidc", address?: string): Promise<Configuration> =>
    callLibrary(createServerFetch({ ...options, purpose: "discovery" }), (send) =>
      discovery(url, "discovery", {}, None(), {
        algorithm,
        execute: [allowInsecureRequests],
        [customFetch]: async (given, init) => {
          const target = address ?? given;
          const answer: DiscoveryAnswer = {
            path: new URL(target).pathname,
            kind: "unreachable",
            said: `${url.host} did not answer`,
          };
          answers.push(answer);
          const response = await send(target, init as RequestInit).catch((error: unknown) => {
            if (isPackError(error)) answer.said = error.message.replace(/\.$/, "");
            throw error;
          });
          Object.assign(answer, await readAnswer(response.clone(), issuer));
          return response;
        },
      }),
    );
  try {
    const configuration = await read("oauth2")
      .catch((error: unknown) =>
        url.pathname === "/" ? Promise.reject(error) : read("oidc", insertedAddress(url)),
      )
      .catch(() => read("oidc"));
    debug(() => `discovery: found the metadata of ${issuer}`, options.redactor);
    return describe(configuration, {
      showsCertificate: definition.clientAuthentication === "tls_client_auth",
      usable: (value) => namedUrl(value, issuer, options.routes ?? NO_ROUTES),
    });
  } catch (error) {
    debug(() => `discovery: found no usable metadata of ${issuer}`, options.redactor);
    if (isPackError(error, "URL_NOT_ALLOWED")) throw error;
    throw discoveryFailed(issuer, answers);
  }
}

/**
 * The library only knows the address with the path of the issuer in front (OpenID Connect Discovery
 * §4).
 */
function insertedAddress({ origin, pathname }: URL): string {
  return `${origin}/.well-known/openid-configuration${pathname.replace(/\/$/, "")}`;
}

/** What one address of the metadata answered. */
interface DiscoveryAnswer {
  path: string;
  /** `foreign` and `local` are the metadata of another issuer, `local` of one on this machine. */
  kind: "unreachable" | "absent" | "foreign" | "local" | "unreadable";
  /** Goes on after the path. */
  said: string;
}

async function readAnswer(
  response: Response,
  issuer: string,
): Promise<Pick<DiscoveryAnswer, "kind" | "said">> {
  if (response.status !== 200)
    return { kind: "absent", said: `answered with status ${response.status}` };
  const body: unknown = await response.json().catch(() => undefined);
  if (!isRecord(body)) return { kind: "unreadable", said: "is not a JSON object" };
  const named = body["issuer"];
  if (typeof named !== "string") return { kind: "unreadable", said: "contains no issuer" };
  // The library reads both as URLs, so that an origin is the same with and without a slash.
  const url = parseUrl(named);
  if (url?.href !== new URL(issuer).href) {
    const kind = url !== undefined && isLoopbackHost(url.host) ? "local" : "foreign";
    return {
      kind,
      said: `is the metadata of another issuer, ${cleanProviderText(named) ?? "without a name"}`,
    };
  }
  return { kind: "unreadable", said: "cannot be used" };
}

function discoveryFailed(
  issuer: string,
  answers: readonly DiscoveryAnswer[],
): PackError<"OAUTH_DISCOVERY_FAILED"> {
  const said = [
    ...new Set(
      answers.map((answer) =>
        answer.kind === "unreachable" ? answer.said : `${answer.path} ${answer.said}`,
      ),
    ),
  ];
  const kinds = answers.map(({ kind }) => kind);
  const message = `The server at ${issuer} returned no usable metadata${said.length === 0 ? "" : `: ${said.join("; ")}`}.`;
  return new PackError("OAUTH_DISCOVERY_FAILED", message, {
    details: { issuer },
    hint: hintFor(kinds, issuer),
  });
}

function hintFor(kinds: readonly DiscoveryAnswer["kind"][], issuer: string): string {
  if (kinds.includes("local"))
    return `If this is packsmith provider behind --route, start it with --issuer ${issuer}.`;
  if (kinds.includes("foreign"))
    return "Compare the issuer with the provider's documentation. Both issuers must be exactly the same, including a slash at the end.";
  if (kinds.includes("unreachable"))
    return "Check the host of the issuer, and check that this machine can reach the server.";
  return "Check the issuer. If the server publishes no metadata, write the URLs from its documentation into the authentication definition.";
}

interface MetadataReading {
  showsCertificate: boolean;
  /** A URL of the metadata, if it may be used. */
  usable(value: unknown): string | undefined;
}

function describe(
  configuration: Configuration,
  { showsCertificate, usable }: MetadataReading,
): DiscoveredServer {
  // The library checks the issuer. The other members may have any type.
  const metadata = configuration.serverMetadata();
  const { mtls_endpoint_aliases: aliases } = metadata;
  const clientAuthenticationMethods = texts(metadata.token_endpoint_auth_methods_supported);
  const needsCertificate = showsCertificate || wantsOnlyCertificates(clientAuthenticationMethods);
  // RFC 8705 §5: endpoints that ask for a certificate can have addresses of their own, because
  // browsers would ask the user for one.
  const endpoint = (name: string) =>
    (needsCertificate && isRecord(aliases) ? usable(aliases[name]) : undefined) ??
    usable(metadata[name]);
  return {
    issuer: metadata.issuer,
    issuerPromised: metadata.authorization_response_iss_parameter_supported === true,
    authorizationUrl: usable(metadata.authorization_endpoint),
    tokenUrl: endpoint("token_endpoint"),
    certificateTokenUrl: isRecord(aliases) ? usable(aliases["token_endpoint"]) : undefined,
    revocationUrl: endpoint("revocation_endpoint"),
    deviceAuthorizationUrl: endpoint("device_authorization_endpoint"),
    dpopAdvertised:
      texts(metadata.dpop_signing_alg_values_supported)?.includes(DPOP_ALGORITHM) === true,
    introspectionUrl: endpoint("introspection_endpoint"),
    scopes: texts(metadata.scopes_supported),
    codeChallengeMethods: texts(metadata.code_challenge_methods_supported),
    grantTypes: texts(metadata.grant_types_supported),
    clientAuthenticationMethods,
    registrationUrl: usable(metadata.registration_endpoint),
    pushedRequestUrl: endpoint("pushed_authorization_request_endpoint"),
    unusableEndpoints: ["authorization_endpoint", "token_endpoint"].filter(
      (name) => (metadata[name] ?? undefined) !== undefined && usable(metadata[name]) === undefined,
    ),
    readsClientMetadata: metadata["client_id_metadata_document_supported"] === true,
  };
}

/** Whether clients of a server can authenticate only with a TLS certificate (RFC 8705 §2). */
export function wantsOnlyCertificates(methods: readonly string[] | undefined): boolean {
  return (
    methods !== undefined &&
    methods.length > 0 &&
    methods.every((method) => /^(?:self_signed_)?tls_client_auth$/.test(method))
  );
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}
