import { checkAfterChanges } from "./check-after-changes.ts";
import { checkTypeCache } from "./check-type-cache.ts";

checkTypeCache("typescript");
checkAfterChanges("typescript");
