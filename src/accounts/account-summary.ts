import * as z from "zod";

/**
 * Who uses an account: one user, the Pack itself, or all users after an administrator has set it
 * up.
 */
export type AccountSlot = "user" | "system" | `admin:${string}`;

const accountSlot = z
  .union([z.enum(["user", "system"]), z.templateLiteral(["admin:", z.string()])])
  .describe("user, system or admin:NAME.");

const redirectChoice = z.strictObject({
  /**
   * Port to listen on; 0 takes a free one. A busy port is an error: silently using another would
   * break the redirect URI. @default 0
   */
  port: z.int().optional().describe("0 means a free port."),
  /** Ports to try in turn instead, if several are registered with the provider. */
  ports: z.array(z.int()).readonly().optional().describe("The ports to try in turn."),
  /** The registered redirect URI, if a tunnel or proxy forwards it to the port. */
  redirectUri: z.string().optional(),
  /**
   * Path of the redirect URI. @default a path that only this connection has
   */
  redirectPath: z.string().optional(),
  /**
   * Host in the redirect URI. `localhost` is served on IPv4 and IPv6, because browsers may use
   * either. @default "127.0.0.1"
   */
  redirectHost: z.enum(["127.0.0.1", "localhost"]).optional(),
  /**
   * Serves the redirect URI with https and a certificate made for this run. Not with the headless
   * browser. @default false
   */
  https: z.boolean().optional(),
});

/** The redirect URI of an account, as far as it was chosen. */
export type RedirectChoice = z.output<typeof redirectChoice>;

export const accountSummary = z
  .strictObject({
    /** The Pack's display name. */
    pack: z.string(),
    /** The real path of the Pack's entry file. */
    file: z.string().describe("Absolute path."),
    slot: accountSlot,
    /** `default`, unless the Pack has several accounts in this slot. */
    name: z.string(),
    /** What the Pack calls it. */
    connectionName: z.string().optional(),
    /** `type` of the definition that it was connected with. */
    type: z.string(),
    /** `reconnect`: the provider refuses to renew it, so the user must connect it again. */
    status: z.enum(["connected", "reconnect"]),
    reconnectReason: z.string().optional(),
    endpoint: z.string().optional(),
    /** Undefined for an account without OAuth. */
    clientId: z.string().optional(),
    /** How it was connected, because a provider may accept only a redirect URI that it knows. */
    redirect: redirectChoice.optional().describe("How packsmith chose the redirect URI."),
    requestedScopes: z.array(z.string()),
    /** Undefined if the provider did not name them. */
    scopes: z
      .array(z.string())
      .optional()
      .describe("The granted scopes, if the provider returned them."),
    /** Undefined without a token, or if its expiry is unknown. */
    expiresAt: z.iso.datetime().optional(),
    renewable: z.boolean().describe("True if packsmith can get a new token without the user."),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .describe("An account, without secrets.");

/** An account, without secrets. */
export type AccountSummary = z.output<typeof accountSummary>;
