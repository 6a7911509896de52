import type { OperationId } from "../../../contract/operations.ts";
import type { Handler } from "../service-call.ts";
import * as analytics from "./analytics.ts";
import * as docs from "./docs.ts";
import * as formulasAndControls from "./formulas-and-controls.ts";
import * as links from "./links.ts";
import * as others from "./other-operations.ts";
import * as pageExports from "./page-exports.ts";
import * as pages from "./pages.ts";
import * as readRows from "./read-rows.ts";
import * as sharing from "./sharing.ts";
import * as tables from "./tables.ts";
import * as writeRows from "./write-rows.ts";

/**
 * The function of every operation, under the operation's name. A missing function or a wrong
 * response does not compile.
 */
export const HANDLERS: { readonly [Id in OperationId]: Handler<Id> } = {
  ...analytics,
  ...docs,
  ...formulasAndControls,
  ...links,
  ...pageExports,
  ...pages,
  ...readRows,
  ...sharing,
  ...tables,
  ...others,
  ...writeRows,
};
