import { sha256 } from "../../../../src/shared/crypto.ts";
import type { Answer, ServiceUnderTest } from "../../support.ts";

interface VersionOptions {
  metadata?: Record<string, unknown>;
  sdkVersion?: string;
  notes?: string;
  allowOlderSdkVersion?: boolean;
  /** More code of the bundle. */
  code?: string;
  /** The complete upload. */
  payload?: string;
}

export async function createTestPack(
  test: ServiceUnderTest,
  body: object = { name: "Tasks" },
): Promise<number> {
  const answer = await test.write("POST", "/packs", body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return Number(answer.body["packId"]);
}

/** The text of an upload whose bundle exports the metadata, with functions in its formulas. */
export function writeUpload(
  metadata: Record<string, unknown>,
  more: { bundle?: string; sdkVersion?: string; code?: string } = {},
): string {
  const { code = "", sdkVersion = "1.17.5" } = more;
  const pack = {
    networkDomains: [],
    formats: [],
    syncTables: [],
    skills: [],
    formulaNamespace: "Deprecated",
    formulas: [],
    ...metadata,
  };
  const bundle =
    more.bundle ??
    `${code}\nexports.pack = ${JSON.stringify(pack)};\nfor (const formula of exports.pack.formulas) formula.execute = () => "done";\nmodule.exports = exports;`;
  return JSON.stringify({ metadata: pack, sdkVersion, bundle, sourceMap: "" });
}

export async function putUpload(
  registered: Record<string, unknown>,
  body: string,
): Promise<Response> {
  const { uploadUrl, headers } = registered as {
    uploadUrl: string;
    headers: Record<string, string>;
  };
  return await fetch(uploadUrl, { method: "PUT", body, headers });
}

/**
 * Registers, uploads and completes a version. @returns the first answer that is not 200, or the
 * last
 */
export async function uploadVersion(
  test: ServiceUnderTest,
  packId: number,
  version: string,
  { metadata = {}, sdkVersion, code, notes, allowOlderSdkVersion, ...rest }: VersionOptions = {},
): Promise<Pick<Answer, "status" | "body">> {
  const payload =
    rest.payload ??
    writeUpload(
      { version, ...metadata },
      {
        ...(sdkVersion === undefined ? {} : { sdkVersion }),
        ...(code === undefined ? {} : { code }),
      },
    );
  const path = `/packs/${packId}/versions/${version}`;
  const registered = await test.write("POST", `${path}/register`, {
    bundleHash: sha256(payload, "hex"),
  });
  if (registered.status !== 200) return registered;
  const put = await putUpload(registered.body, payload);
  if (put.status !== 200)
    return { status: put.status, body: (await put.json()) as Record<string, unknown> };
  return await test.write("POST", `${path}/uploadComplete`, {
    notes,
    source: "cli",
    allowOlderSdkVersion,
  });
}
