import * as z from "zod";

/**
 * The parts of the SARIF 2.1.0 schema (OASIS Standard, §3) that a log of ours uses, with the same
 * names, required members,
 * bounds and enumerations. Every object is closed, as in the official schema: a member that is not
 * there is an error.
 */
const message = z.strictObject({
  text: z.string().optional(),
  markdown: z.string().optional(),
  id: z.string().optional(),
});
const multiformat = z.strictObject({ text: z.string(), markdown: z.string().optional() });
/** A relative or absolute URI reference (RFC 3986). */
const uri = z.string().regex(/^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/);
const artifactLocation = z.strictObject({
  uri: uri.optional(),
  uriBaseId: z.string().optional(),
  index: z.int().min(-1).optional(),
  description: message.optional(),
});
const region = z.strictObject({
  startLine: z.int().min(1).optional(),
  startColumn: z.int().min(1).optional(),
  endLine: z.int().min(1).optional(),
  endColumn: z.int().min(1).optional(),
  charOffset: z.int().min(-1).optional(),
  charLength: z.int().min(0).optional(),
  byteOffset: z.int().min(-1).optional(),
  byteLength: z.int().min(0).optional(),
});
const location = z.strictObject({
  id: z.int().min(-1).optional(),
  physicalLocation: z
    .strictObject({ artifactLocation, region: region.optional(), contextRegion: region.optional() })
    .optional(),
  logicalLocations: z
    .array(
      z.strictObject({
        name: z.string().optional(),
        fullyQualifiedName: z.string().optional(),
        kind: z.string().optional(),
      }),
    )
    .optional(),
  message: message.optional(),
});
const level = z.enum(["none", "note", "warning", "error"]);
const fix = z.strictObject({
  description: message.optional(),
  artifactChanges: z
    .array(
      z.strictObject({
        artifactLocation,
        replacements: z
          .array(
            z.strictObject({
              deletedRegion: region,
              insertedContent: z.strictObject({ text: z.string().optional() }).optional(),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});
const propertyBag = z.looseObject({ tags: z.array(z.string()).optional() });
const rule = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  shortDescription: multiformat.optional(),
  fullDescription: multiformat.optional(),
  help: multiformat.optional(),
  helpUri: z.url().optional(),
  defaultConfiguration: z
    .strictObject({ enabled: z.boolean().optional(), level: level.optional() })
    .optional(),
  properties: propertyBag.optional(),
});
const driver = z.strictObject({
  name: z.string(),
  version: z.string().optional(),
  semanticVersion: z.string().optional(),
  informationUri: z.url().optional(),
  rules: z.array(rule).optional(),
});
const result = z.strictObject({
  ruleId: z.string().optional(),
  ruleIndex: z.int().min(-1).optional(),
  level: level.optional(),
  kind: z.enum(["notApplicable", "pass", "fail", "review", "open", "informational"]).optional(),
  message,
  locations: z.array(location).optional(),
  fixes: z.array(fix).optional(),
});

export const sarifSchema = z.strictObject({
  $schema: z.url().optional(),
  version: z.literal("2.1.0"),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({ driver }),
      columnKind: z.enum(["utf16CodeUnits", "unicodeCodePoints"]).optional(),
      results: z.array(result).optional(),
    }),
  ),
});
