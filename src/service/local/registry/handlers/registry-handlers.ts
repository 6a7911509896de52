import type {
  RegistryOperationId,
  RegistryResponse,
} from "../../../contract/registry/registry-operations.ts";
import type { ServiceCall } from "../../api/service-call.ts";
import * as connections from "./connections.ts";
import * as draftsAndReviews from "./drafts-and-reviews.ts";
import * as featuredDocs from "./featured-docs.ts";
import * as files from "./files.ts";
import * as logs from "./logs.ts";
import * as ownInvitations from "./own-invitations.ts";
import * as packs from "./packs.ts";
import * as releases from "./releases.ts";
import * as sharing from "./sharing.ts";
import * as versions from "./versions.ts";

/** The function of every operation of the registry, under the operation's name. */
export const REGISTRY_HANDLERS: {
  readonly [Id in RegistryOperationId]: (call: ServiceCall) => Promise<RegistryResponse<Id>>;
} = {
  ...connections,
  ...draftsAndReviews,
  ...featuredDocs,
  ...files,
  ...logs,
  ...ownInvitations,
  ...packs,
  ...releases,
  ...sharing,
  ...versions,
};
