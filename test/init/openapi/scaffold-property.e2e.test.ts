import { checkDescriptions } from "./check-descriptions.ts";

checkDescriptions(15, 3);
