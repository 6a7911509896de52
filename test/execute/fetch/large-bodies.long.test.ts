import { BODIES, checkLargeBodies } from "./check-large-bodies.ts";

checkLargeBodies(Object.keys(BODIES));
