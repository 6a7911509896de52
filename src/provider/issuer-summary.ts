import * as z from "zod";

const text = z.string();

const mutualTls = z.strictObject({
  /** `https://127.0.0.1:PORT` */
  origin: text,
  tokenUrl: text,
  revocationUrl: text,
  meUrl: text,
  certificate: text.describe("The certificate of the server, as PEM."),
});

/** The endpoints of a provider that ask for a TLS certificate of the client (RFC 8705). */
export type MutualTlsEndpoints = z.output<typeof mutualTls>;

export const issuerSummary = z.strictObject({
  /** The origin, unless the options name another issuer. With the path of an issuer below it. */
  issuer: text,
  authorizationUrl: text,
  tokenUrl: text,
  introspectionUrl: text,
  revocationUrl: text,
  /** The protected resource, which returns the user of a token. */
  meUrl: text,
  /** A protected MCP server with the tools `whoami` and `echo`. */
  mcpUrl: text,
  /** Clock, request log, reset and faults over HTTP. */
  controlUrl: text,
  registrationUrl: text,
  pushedRequestUrl: text,
  deviceAuthorizationUrl: text,
  /** The page on which the user enters the code of a device. */
  deviceUrl: text,
  /** The default client: confidential, with code, refresh and client credentials grants. */
  clientId: text,
  clientSecret: text.describe("Created for this run."),
  /** A client that may introspect all tokens. */
  resourceServer: z.strictObject({ clientId: text, clientSecret: text }),
  /** Where clients authenticate with TLS certificates; undefined without `mutualTlsPort`. */
  mutualTls: mutualTls.optional().describe("With --mutual-tls-port or --client-certificate."),
});

/** What a client and a service need to know about an issuer. */
export type IssuerSummary = z.output<typeof issuerSummary>;
