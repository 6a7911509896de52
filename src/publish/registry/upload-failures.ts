import { sizeText } from "../../bundle/bundle-size.ts";
import { PackError } from "../../errors.ts";
import type { FindingAt } from "../../service/contract/registry/registry-models.ts";
import { MAX_VERSION_BYTES } from "./upload-limits.ts";

export function describeExistingVersion(version: string): PackError<"VERSION_EXISTS"> {
  return new PackError(
    "VERSION_EXISTS",
    `The registry already has version ${version} of the Pack, with different content.`,
    {
      details: { version },
      hint: "Raise the version in the source. If you remove the version, the registry chooses the next version.",
    },
  );
}

export function describeOlderVersion(version: string, newest: string): PackError<"VERSION_OLDER"> {
  return new PackError(
    "VERSION_OLDER",
    `Version ${version} is older than ${newest}, the newest version of the Pack.`,
    {
      details: { version, newest },
      hint: `In the source, set a version that is higher than ${newest}. To release an older version again, run packsmith rollback.`,
    },
  );
}

export function describeLargeUpload(
  bytes: number,
  sourceMap: string,
): PackError<"UPLOAD_TOO_LARGE"> {
  const map = sizeText(Buffer.byteLength(sourceMap));
  return new PackError(
    "UPLOAD_TOO_LARGE",
    `The size of the upload is ${sizeText(bytes)}, including a source map of ${map}. This is ${(bytes - MAX_VERSION_BYTES).toLocaleString("en")} bytes above the limit of ${sizeText(MAX_VERSION_BYTES)}.`,
    {
      details: { bytes, limitBytes: MAX_VERSION_BYTES },
      hint: "Run packsmith build to see the large packages. Import fewer or smaller packages.",
    },
  );
}
export function describeOlderSdk(
  cause: PackError<"REGISTRY_FAILED">,
): PackError<"REGISTRY_FAILED"> {
  return new PackError("REGISTRY_FAILED", cause.message, {
    details: cause.details,
    hint: "Update packsmith. If the Pack does not use new features of the SDK, pass --allow-older-sdk-version.",
    cause,
  });
}

export function describeRefusedUpload(
  version: string,
  problems: readonly FindingAt[],
): PackError<"UPLOAD_REFUSED"> {
  const [first] = problems;
  const message =
    problems.length === 1
      ? `The registry refuses version ${version}: ${first?.message}`
      : `The registry found ${problems.length} problems in version ${version}. The first: ${first?.message}`;
  const details = { problems: problems.map((problem) => `${problem.path}: ${problem.message}`) };
  return new PackError("UPLOAD_REFUSED", message, {
    details,
    hint: "Fix the problems, and upload the Pack again. You can use the same version number.",
  });
}
