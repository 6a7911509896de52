import { checkLargeBodies } from "./check-large-bodies.ts";

checkLargeBodies(["text"]);
