import * as z from "zod";
import { PackError } from "../../errors.ts";
import { readRegularText } from "../../shared/files.ts";

/** The file that holds the listing of a Pack, next to the Pack. */
export const LISTING_FILE = "packsmith.config.json";
/** The JSON Schema of the file, as editors find it from a project. */
export const LISTING_SCHEMA = "./node_modules/packsmith/templates/packsmith.config.schema.json";

const text = z.string().max(10_000);
const shortText = z.string().max(256);
const path = z.string().min(1).describe("Path of an image, relative to packsmith.config.json.");
const altText = text.describe(
  "Alternative text of the image. config pull writes this text. To change the text, use the registry's website.",
);
const address = z.union([z.url({ protocol: /^https?$/ }).max(512), z.literal("")]);
const rateLimit = z.strictObject({
  intervalSeconds: z.int().min(1).max(86_400),
  operationsPerInterval: z.int().min(0),
});
const access = z.enum(["view", "test", "edit", "admin"]);
const account = z.strictObject({
  account: z
    .string()
    .min(1)
    .default("default")
    .describe("Name of the connected account in the vault."),
});

/** What the file may hold. A member that is missing is left as it is in the registry. */
const listingSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z.string().trim().min(1).max(128).optional().describe("Name of the Pack."),
    shortDescription: shortText.optional().describe("Description of the Pack in one line."),
    description: z.string().max(8_192).optional().describe("Description of the Pack."),
    logo: path.nullish(),
    cover: path.nullish(),
    exampleImages: z.array(z.strictObject({ file: path, altText: altText.optional() })).optional(),
    categories: z.array(text).optional().describe("Names of publishing categories."),
    makers: z.array(z.email()).optional().describe("Email addresses of the makers of the Pack."),
    permissions: z
      .array(
        z.union([
          z.strictObject({ user: z.email(), access }),
          z.strictObject({ workspace: text, access }),
          z.strictObject({ group: text, access }),
          z.strictObject({ nomosOrganization: text, access }),
          z.strictObject({ grammarlyInstitution: z.int().min(1), access }),
          z.strictObject({ worldwide: z.literal(true), access }),
          z
            .strictObject({ unknown: z.looseObject({ type: text }), access })
            .describe("A principal of an unknown type, as the registry returned it."),
        ]),
      )
      .optional()
      .describe("All users who can use or edit the Pack, except the owner."),
    sourceCodeVisibility: z.enum(["private", "shared"]).optional(),
    packEntrypoints: z.array(z.enum(["docs", "go"])).optional(),
    supportEmail: z.union([z.email().max(512), z.literal("")]).optional(),
    termsOfServiceUrl: address.optional(),
    privacyPolicyUrl: address.optional(),
    agentShortDescription: shortText.optional().describe("Description of the agent in one line."),
    agentDescription: z.string().max(8_192).optional().describe("Description of the agent."),
    featuredDocs: z
      .array(z.strictObject({ url: text.min(1), isPinned: z.boolean().optional() }))
      .max(5)
      .optional()
      .describe("Links to the documents that the listing shows."),
    overallRateLimit: rateLimit
      .nullish()
      .describe("Limit for the total number of requests from the Pack."),
    perConnectionRateLimit: rateLimit
      .nullish()
      .describe("Limit for the requests from each account."),
    oauthClient: account.optional().describe("Use the OAuth client of an account in the vault."),
    systemConnection: account
      .optional()
      .describe(
        "Use the Pack's own account (system authentication). To connect it, run packsmith auth connect pack.ts --system.",
      ),
  })
  .describe("The listing of a Pack, for packsmith config.");

export type Listing = z.output<typeof listingSchema>;

/** The JSON Schema of the file, for editors. */
export function listingJsonSchema(): object {
  return z.toJSONSchema(listingSchema, { io: "input" });
}

/** @throws {PackError} CONFIG_INVALID */
export async function readListing(path: string): Promise<Listing> {
  const content = await readRegularText(path).catch(() => undefined);
  if (content === undefined)
    throw invalid(
      path,
      ["the file cannot be read"],
      "Run packsmith config pull to write the file.",
    );
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw invalid(path, [`it is not JSON: ${(error as Error).message}`], "Correct the file.");
  }
  const parsed = listingSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${z.core.toDotPath(issue.path) || "the file"}: ${issue.message}`,
  );
  throw invalid(
    path,
    problems,
    "Correct these values, or run packsmith config pull to write the file again.",
  );
}

function invalid(
  file: string,
  problems: readonly string[],
  hint: string,
): PackError<"CONFIG_INVALID"> {
  return new PackError(
    "CONFIG_INVALID",
    `${file} is not valid: ${problems.slice(0, 5).join("; ")}.`,
    {
      details: { file, problems },
      hint,
    },
  );
}
