import * as z from "zod";
import { accountSummary } from "../../accounts/account-summary.ts";
import { accountCheck } from "../../connect/account-check.ts";
import { flowRecord } from "../../connect/flow-event.ts";
import { registeredClient } from "../../connect/registered-client.ts";
import { profileResult } from "../../connect/simulation/profile-result.ts";
import { writtenAuthentication } from "../../init/written-authentication.ts";
import { absolutePath, fine, milliseconds, optionalText, text } from "./parts.ts";

export const connectOutput = z.strictObject({
  ok: fine,
  account: accountSummary,
  redirectUri: optionalText,
});
export const listOutput = z.strictObject({
  ok: fine,
  accounts: z.array(accountSummary),
  vault: z.strictObject({ folder: absolutePath, key: z.enum(["keychain", "file"]).optional() }),
});
export const refreshOutput = z.strictObject({ ok: fine, account: accountSummary });
export const allowHostsOutput = z.strictObject({
  ok: fine,
  hosts: z.array(text),
  added: z.array(text),
});
export const revokeOutput = z.strictObject({
  ok: fine,
  forgotten: fine,
  revoked: z.boolean(),
  warning: optionalText,
});

export const flowOutput = z.strictObject({
  ok: z.boolean(),
  flow: flowRecord,
});
export const deviationsOutput = z.strictObject({
  ok: fine,
  pack: text,
  deviations: z.array(text),
  repeated: z
    .array(text)
    .describe("Options of the authentication definition that the issuer's metadata also contains."),
});

export const testOutput = z.union([
  z.strictObject({ ok: z.boolean(), results: z.array(profileResult), durationMs: milliseconds }),
  z
    .strictObject({ ok: fine, account: accountCheck })
    .describe("For authentication without a provider: the result of testing the account."),
]);

export const discoverOutput = z.strictObject({
  ok: fine,
  definition: z.looseObject({ type: text }).describe("The authentication for the Pack."),
  server: z.looseObject({ issuer: text }).describe("The metadata of the server."),
  notes: z.array(text),
  written: writtenAuthentication.optional(),
  registered: registeredClient.optional(),
});

export const clientMetadataOutput = z
  .looseObject({ client_id: text, redirect_uris: z.array(text) })
  .describe("The client metadata to publish (RFC 7591). The output does not contain the field ok.");
