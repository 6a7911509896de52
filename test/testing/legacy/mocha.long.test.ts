import { checkNodeRunners, MORE_NODE_CASES } from "./check-node-runners.ts";

checkNodeRunners(MORE_NODE_CASES);
