/** Where the endpoints and pages are. */
export const Path = {
  Authorize: "/authorize",
  Login: "/login",
  Consent: "/consent",
  Token: "/token",
  Refresh: "/refresh",
  Introspect: "/introspect",
  Revoke: "/revoke",
  Register: "/register",
  PushedRequest: "/par",
  DeviceAuthorization: "/device_authorization",
  Device: "/device",
  Me: "/me",
  Keys: "/jwks",
} as const;
