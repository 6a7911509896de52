import { expectTypeOf, it } from "vitest";
import type * as own from "../../src/define/authentication.ts";
import type {
  AuthenticationType,
  ConnectionRequirement,
  PostSetupType,
  ValueHintType,
  ValueType,
} from "../../src/define/enumerations.ts";
import type { FetchRequest } from "../../src/define/fetch.ts";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import type { Format, PackVersionDefinition } from "../../src/define/pack.ts";
import type { MCPServer, Skill } from "../../src/define/skill.ts";
import type { SyncFormulaDefinition, SyncTableOptions } from "../../src/define/sync-table.ts";
import type * as oauth from "../../src/legacy-types/authentication.ts";
import type * as definition from "../../src/legacy-types/definition.ts";
import type * as enumerations from "../../src/legacy-types/enumerations.ts";
import type * as pack from "../../src/legacy-types/pack.ts";
import type * as platform from "../../src/legacy-types/shared-types.ts";

type Keys<Definition> = Definition extends unknown ? Extract<keyof Definition, string> : never;
/** The members that only packsmith knows. */
type Added<Ours, Theirs> = Exclude<Keys<Ours>, Keys<Theirs>>;
/** The values that only packsmith knows. */
type AddedValues<Ours extends string, Theirs extends string> = Exclude<Ours, `${Theirs}`>;

// The members of OAuth definitions are in the table of oauth-additions.ts, where an upload looks
// them up.

it("no other authentication has members that the platform does not know", () => {
  expectTypeOf<Added<own.NoAuthentication, platform.NoAuthentication>>().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.VariousAuthentication, platform.VariousAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.HeaderBearerTokenAuthentication, platform.HeaderBearerTokenAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.CodaApiBearerTokenAuthentication, platform.CodaApiBearerTokenAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.CustomHeaderTokenAuthentication, platform.CustomHeaderTokenAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.MultiHeaderTokenAuthentication, platform.MultiHeaderTokenAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.QueryParamTokenAuthentication, platform.QueryParamTokenAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.MultiQueryParamTokenAuthentication, platform.MultiQueryParamTokenAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.WebBasicAuthentication, platform.WebBasicAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.CustomAuthentication, platform.CustomAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.CustomAuthParameter, platform.CustomAuthParameter>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.AWSAccessKeyAuthentication, platform.AWSAccessKeyAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.AWSAssumeRoleAuthentication, platform.AWSAssumeRoleAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.GoogleServiceAccountAuthentication, platform.GoogleServiceAccountAuthentication>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<
      own.GoogleDomainWideDelegationAuthentication,
      platform.GoogleDomainWideDelegationAuthentication
    >
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<own.AdminAuthentication, platform.AdminAuthentication>
  >().toEqualTypeOf<never>();
  type OwnStep = NonNullable<OAuth2Authentication["postSetup"]>[number];
  expectTypeOf<Added<OwnStep, oauth.SetEndpoint>>().toEqualTypeOf<never>();
});

it("no other part of a Pack has members that the platform does not know", () => {
  // A builder has it as well.
  type OfPack = "_defaultConnectionRequirement";
  expectTypeOf<Added<PackVersionDefinition, pack.PackVersionDefinition>>().toEqualTypeOf<OfPack>();
  expectTypeOf<Added<Format, pack.Format>>().toEqualTypeOf<never>();
  expectTypeOf<
    Added<SyncTableOptions, definition.SyncTableOptions<string, string, never, never, never, never>>
  >().toEqualTypeOf<never>();
  expectTypeOf<
    Added<
      SyncFormulaDefinition<never, never>,
      definition.SyncFormulaDef<never, never, never, never>
    >
  >().toEqualTypeOf<never>();
  expectTypeOf<Added<Skill, platform.Skill>>().toEqualTypeOf<never>();
  expectTypeOf<Added<MCPServer, platform.MCPServer>>().toEqualTypeOf<never>();
  expectTypeOf<Added<FetchRequest, definition.FetchRequest>>().toEqualTypeOf<never>();
});

it("no list of values has one that the platform does not know", () => {
  expectTypeOf<
    AddedValues<AuthenticationType, enumerations.AuthenticationType>
  >().toEqualTypeOf<never>();
  expectTypeOf<AddedValues<PostSetupType, enumerations.PostSetupType>>().toEqualTypeOf<never>();
  expectTypeOf<
    AddedValues<ConnectionRequirement, enumerations.ConnectionRequirement>
  >().toEqualTypeOf<never>();
  expectTypeOf<AddedValues<ValueType, enumerations.ValueType>>().toEqualTypeOf<never>();
  expectTypeOf<AddedValues<ValueHintType, enumerations.ValueHintType>>().toEqualTypeOf<never>();
  type Location = NonNullable<OAuth2Authentication["credentialsLocation"]>;
  expectTypeOf<
    AddedValues<Location, enumerations.TokenExchangeCredentialsLocation>
  >().toEqualTypeOf<never>();
});
