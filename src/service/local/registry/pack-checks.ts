import type {
  FindingAt,
  FindingDetail,
  PackUpload,
} from "../../contract/registry/registry-models.ts";

/** What the registry asks about Packs. The service itself neither runs nor compares them. */
export interface PackChecks {
  /** Loads the bundle and applies the rules to it. */
  validate(upload: PackUpload): Promise<{ errors: FindingAt[]; warnings: FindingAt[] }>;
  /** What changed between the metadata of two versions, and the version that this calls for. */
  compare(
    before: Metadata,
    after: Metadata,
  ): Promise<{ changes: FindingDetail[]; nextVersion: string | undefined }>;
  /** What the platform has to approve before it takes a version. */
  findApprovals(metadata: Metadata): Promise<FindingAt[]>;
}

export type Metadata = Readonly<Record<string, unknown>>;
