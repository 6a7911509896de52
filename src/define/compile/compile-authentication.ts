import { convertParts, type Members } from "./members.ts";
import { compileMetadata } from "./metadata-formula.ts";
import { keepWritten } from "./written.ts";

/**
 * The compiled form of an authentication: its functions become metadata formulas. `None` and
 * `Various` have none.
 */
export function compileAuthentication<Definition extends object>(written: Definition): Definition {
  const { type, getConnectionName, getConnectionUserId, postSetup } = written as Members;
  if (type === "None" || type === "Various") return written;
  return keepWritten(
    {
      ...written,
      getConnectionName: compileMetadata(getConnectionName),
      getConnectionUserId: compileMetadata(getConnectionUserId),
      postSetup: convertParts(postSetup, compileStep),
    },
    written,
  );
}

function compileStep(step: Members): Members {
  const { getOptions, getOptionsFormula } = step;
  return {
    ...step,
    getOptions: compileMetadata(getOptions ?? getOptionsFormula),
    getOptionsFormula: compileMetadata(getOptionsFormula),
  };
}
