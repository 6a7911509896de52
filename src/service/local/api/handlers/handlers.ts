import type { OperationId } from "../../../contract/operations.ts";
import type { Handler } from "../service-call.ts";
import * as analytics from "./analytics.ts";
import { triggerWebhookAutomation } from "./automations.ts";
import { createDoc, deleteDoc, getDoc, listDocs, updateDoc } from "./docs.ts";
import { getControl, getFormula, listControls, listFormulas } from "./formulas-and-controls.ts";
import { resolveBrowserLink } from "./links.ts";
import { getMutationStatus } from "./mutations.ts";
import { beginPageContentExport, getPageContentExportStatus } from "./page-exports.ts";
import { getPage, listPageContent, listPages } from "./pages.ts";
import { listCategories, publishDoc, unpublishDoc } from "./publishing.ts";
import { getRow, listRows } from "./read-rows.ts";
import {
  addPermission,
  deletePermission,
  getAclSettings,
  getPermissions,
  getSharingMetadata,
  searchPrincipals,
  updateAclSettings,
} from "./sharing.ts";
import { getColumn, getTable, listColumns, listTables } from "./tables.ts";
import { whoami } from "./whoami.ts";
import { createPage, deletePage, deletePageContent, updatePage } from "./write-pages.ts";
import { deleteRow, deleteRows, pushButton, updateRow, upsertRows } from "./write-rows.ts";

/** Every operation of the contract: one that is forgotten does not compile. */
export const HANDLERS: Record<OperationId, Handler> = {
  ...analytics,
  listDocs,
  createDoc,
  getDoc,
  deleteDoc,
  updateDoc,
  getSharingMetadata,
  getPermissions,
  addPermission,
  deletePermission,
  searchPrincipals,
  getAclSettings,
  updateAclSettings,
  listCategories,
  publishDoc,
  unpublishDoc,
  listPages,
  createPage,
  getPage,
  updatePage,
  deletePage,
  listPageContent,
  deletePageContent,
  beginPageContentExport,
  getPageContentExportStatus,
  triggerWebhookAutomation,
  listTables,
  getTable,
  listColumns,
  getColumn,
  listRows,
  upsertRows,
  deleteRows,
  getRow,
  updateRow,
  deleteRow,
  pushButton,
  listFormulas,
  getFormula,
  listControls,
  getControl,
  whoami,
  resolveBrowserLink,
  getMutationStatus,
};
