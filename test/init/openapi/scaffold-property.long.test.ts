import { checkDescriptions } from "./check-descriptions.ts";

checkDescriptions(40, 12);
