import { checkUntypedBodies } from "./check-untyped-bodies.ts";

checkUntypedBodies("5.9");
