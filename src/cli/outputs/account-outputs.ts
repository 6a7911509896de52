import * as z from "zod";
import { accountSummary } from "../../accounts/account-summary.ts";
import type { FlowEvent } from "../../connect/flow-record.ts";
import type { AccountCheck } from "../../connect/manage-accounts.ts";
import type { RegisteredClient } from "../../connect/register-client.ts";
import type { ProfileResult } from "../../connect/simulation/test-authentication.ts";
import type { WrittenAuthentication } from "../../init/write-authentication.ts";
import { reportedError } from "../../shared/reported-error.ts";
import {
  absolutePath,
  count,
  fine,
  milliseconds,
  optionalText,
  type ShapeOf,
  text,
} from "./parts.ts";

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

const event = z.strictObject({
  atMs: z.number().describe("Milliseconds since the flow began."),
  step: text as z.ZodType<FlowEvent["step"]>,
  facts: z.record(text, text).describe("Parameters and members, secrets masked."),
  durationMs: milliseconds.optional(),
  deviations: z
    .array(text)
    .optional()
    .describe("What a strict client would have refused in the response."),
} satisfies ShapeOf<FlowEvent>);
const failedOutcome = reportedError.extend({
  ok: z.literal(false),
  details: z.unknown().optional(),
});

export const flowOutput = z.strictObject({
  ok: z.boolean(),
  flow: z.strictObject({
    formatVersion: z.literal(1),
    pack: text,
    account: text,
    startedAtMs: z.number().describe("Milliseconds since 1970."),
    durationMs: milliseconds,
    events: z.array(event),
    outcome: z.discriminatedUnion("ok", [z.strictObject({ ok: fine }), failedOutcome]),
  }),
});
export const deviationsOutput = z.strictObject({ ok: fine, pack: text, deviations: z.array(text) });

const stepFailure = z.strictObject({
  step: z.enum(["connect", "call", "refresh", "call again", "refusal"]),
  code: text,
  message: text,
});
const profileResult = z.strictObject({
  profile: text,
  summary: text,
  outcome: z.enum(["passed", "failed", "skipped"]),
  failure: stepFailure.optional(),
  edit: optionalText.describe("The change of the definition for this provider."),
  remaining: stepFailure.optional().describe("What still fails after this change."),
} satisfies ShapeOf<ProfileResult>);
const check = z.strictObject({
  type: text,
  fields: z.array(text),
  connectionName: optionalText,
} satisfies ShapeOf<AccountCheck>);

export const testOutput = z.union([
  z.strictObject({ ok: z.boolean(), results: z.array(profileResult), durationMs: milliseconds }),
  z
    .strictObject({ ok: fine, account: check })
    .describe("For a type without a provider: the account was tried."),
]);

const written = z.strictObject({
  file: absolutePath,
  line: count,
  hasDomains: z.boolean(),
} satisfies ShapeOf<WrittenAuthentication>);
const registered = z.strictObject({
  clientId: text,
  redirectUri: text,
  account: text,
} satisfies ShapeOf<RegisteredClient>);

export const discoverOutput = z.strictObject({
  ok: fine,
  definition: z.looseObject({ type: text }).describe("The authentication for the Pack."),
  server: z.looseObject({ issuer: text }).describe("The metadata of the server."),
  notes: z.array(text),
  written: written.optional(),
  registered: registered.optional(),
});

export const clientMetadataOutput = z
  .looseObject({ client_id: text, redirect_uris: z.array(text) })
  .describe("The document to publish, with the names of RFC 7591. It has no member ok.");
