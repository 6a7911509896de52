/** The part of node-oidc-provider that these tests use; it ships no types. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  interface GrantContext {
    oidc: { params?: Record<string, unknown> };
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    on(event: "grant.success" | "grant.error", listener: (context: GrantContext) => void): void;
  }
}
