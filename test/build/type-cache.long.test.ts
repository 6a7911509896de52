import { checkAfterChanges } from "./check-after-changes.ts";
import { checkTypeCache } from "./check-type-cache.ts";

checkTypeCache("typescript-5.9");
checkAfterChanges("typescript-5.9");
