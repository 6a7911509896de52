import * as z from "zod";
import { issuerSummary } from "../../provider/issuer-summary.ts";
import { absolutePath, count, fine, optionalText, text } from "./parts.ts";

const action = z.strictObject({ pack: text, formula: text });

export const serviceOutput = z
  .strictObject({
    ok: fine,
    url: text,
    publicUrl: optionalText.describe("With --public-url: the API root for other machines."),
    controlUrl: text,
    token: text.describe("The service created this token, and stores it in the database."),
    docId: text,
    automationRuleId: text,
    actions: z.array(action).optional(),
    certificate: absolutePath.optional(),
  })
  .describe("The command prints this output when the service is ready.");

export const importOutput = z.strictObject({
  ok: fine,
  docs: count,
  tables: count,
  rows: count,
  out: optionalText,
  notes: z.array(text),
  seed: z.looseObject({}).optional().describe("Missing with --out or --database."),
});

export const typesOutput = z.strictObject({
  ok: fine,
  tables: z.array(text).describe("Names of the tables and views."),
  path: absolutePath.optional(),
  types: text.optional().describe("Missing with --out."),
});

const profile = z.strictObject({ name: text, summary: text, needs: z.unknown().optional() });

export const providerOutput = z.union([
  issuerSummary
    .extend({
      ok: fine,
      issuers: z
        .record(z.string(), issuerSummary)
        .optional()
        .describe("The issuers that the --options file defines, by URL path."),
    })
    .describe("The command prints this output when the server is ready."),
  z
    .strictObject({
      ok: fine,
      file: text,
      slot: text,
      issuer: text,
      authorizationUrl: text,
      tokenUrl: text,
      revocationUrl: optionalText,
      controlUrl: text,
      routes: z.array(text),
      client: z
        .strictObject({ clientId: text, clientSecret: optionalText })
        .optional()
        .describe("Created for this run."),
      secrets: z.record(z.string(), text).optional().describe("Created for this run."),
      endpoint: optionalText,
      variables: z.record(z.string(), text),
      service: z.strictObject({ url: text, docId: text }).optional(),
    })
    .describe("With --for, the command prints this output when the servers are ready."),
  z.strictObject({ ok: fine, profiles: z.array(profile) }).describe("With --list-profiles."),
]);
