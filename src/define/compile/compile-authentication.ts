import { isMembers } from "./members.ts";
import { compileMetadata } from "./metadata-formula.ts";
import { keepWritten } from "./written.ts";

/** The compiled form of an authentication: its functions become metadata formulas. `None` and `Various` have none. */
export function compileAuthentication(authentication: unknown): unknown {
  if (!isMembers(authentication)) return authentication;
  const { type, getConnectionName, getConnectionUserId, postSetup } = authentication;
  if (type === "None" || type === "Various") return authentication;
  return keepWritten(
    {
      ...authentication,
      getConnectionName: compileMetadata(getConnectionName),
      getConnectionUserId: compileMetadata(getConnectionUserId),
      postSetup: Array.isArray(postSetup) ? postSetup.map(compileStep) : postSetup,
    },
    authentication,
  );
}

function compileStep(step: unknown): unknown {
  if (!isMembers(step)) return step;
  const { getOptions, getOptionsFormula } = step;
  const compiled = {
    ...step,
    getOptions: compileMetadata(getOptions ?? getOptionsFormula),
    getOptionsFormula: compileMetadata(getOptionsFormula),
  };
  return keepWritten(compiled, step);
}
