import type { BaseAuthentication, OAuth2Authentication, PostSetupDef } from "./authentication.ts";
import type { MetadataFormulaDef } from "./definition.ts";
import type { ConnectionRequirement } from "./enumerations.ts";
import type {
  AdminAuthentication,
  CodaApiBearerTokenAuthentication,
  GoogleDomainWideDelegationAuthentication,
  NoAuthentication,
  SystemAuthentication,
  VariousAuthentication,
} from "./shared-types.ts";

/** An authentication with credentials. */
export type AllowedAuthentication =
  | SystemAuthentication
  | CodaApiBearerTokenAuthentication
  | OAuth2Authentication
  | GoogleDomainWideDelegationAuthentication;

/** An authentication as you write it: its functions may be plain ones. */
export type AsAuthDef<A extends BaseAuthentication> = Omit<
  A,
  "getConnectionName" | "getConnectionUserId" | "postSetup"
> & {
  /**
   * Returns the label of the account. Without one, the account is labelled with the name of the
   * user who created it.
   */
  getConnectionName?: MetadataFormulaDef;
  /** @deprecated Accepted for compatibility with existing Packs. */
  getConnectionUserId?: MetadataFormulaDef;
  /** Steps that run after the account was set up. */
  postSetup?: PostSetupDef[];
};
// OAuth2 is one definition with either form, so that a variable may hold the form that it needs.
type AsAuthDefs<A extends BaseAuthentication> = A extends OAuth2Authentication
  ? never
  : A extends unknown
    ? AsAuthDef<A>
    : never;
/** How the Pack's own account authenticates, as you write it for `setSystemAuthentication`. */
export type SystemAuthenticationDef = AsAuthDefs<SystemAuthentication>;
/** An authentication with credentials, as you write it. */
export type AllowedAuthenticationDef =
  | AsAuthDefs<AllowedAuthentication>
  | AsAuthDef<OAuth2Authentication>;
/** How each user's account authenticates, as you write it for `setUserAuthentication`. */
export type AuthenticationDef = NoAuthentication | VariousAuthentication | AllowedAuthenticationDef;
export type UserAuthenticationDef = AuthenticationDef & {
  defaultConnectionRequirement?: ConnectionRequirement;
};
export interface AdminAuthenticationDef extends Omit<AdminAuthentication, "authentication"> {
  authentication: AllowedAuthenticationDef;
}
