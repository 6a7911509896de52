import { openPack } from "../../execute/open-pack.ts";
import { createStackMapper, type StackMapper } from "../../sandbox/host/stack-trace.ts";
import type { PackVersionSummary } from "../../service/contract/registry/registry-models.ts";
import {
  findContentHash,
  hashContent,
  readUploadContent,
  type UploadContent,
} from "./build-notes.ts";
import type { RegistryClient } from "./registry-client.ts";
import { listVersions } from "./registry-versions.ts";

export interface StackMapOptions {
  client: RegistryClient;
  packId: number;
  /** Entry file of the Pack. */
  file: string;
  cwd: string;
  /** Called once for each version whose stacks stay as they are. */
  onUnmapped(version: string): void;
}

/**
 * Maps places in the bundle of a version to places in the source, if the source builds exactly what
 * was uploaded as that version. A stack of another version stays as it is.
 */
export function createVersionMapper(
  options: StackMapOptions,
): (stack: string, version: string) => Promise<string> {
  const { client, packId, onUnmapped } = options;
  const mappers = new Map<string, Promise<StackMapper | undefined>>();
  let source: Promise<UploadContent | undefined> | undefined;
  let versions: Promise<PackVersionSummary[]> | undefined;

  const findMap = async (version: string): Promise<string | undefined> => {
    source ??= buildSource(options).catch(() => undefined);
    versions ??= listVersions(client, packId).catch(() => []);
    const build = await source;
    if (build === undefined) return undefined;
    const uploaded = (await versions).find(({ packVersion }) => packVersion === version);
    const hash = uploaded === undefined ? undefined : findContentHash(uploaded.buildNotes);
    return hashContent(build) === hash ? build.sourceMap : undefined;
  };
  const createMapper = async (version: string): Promise<StackMapper | undefined> => {
    const map = await findMap(version);
    if (map === undefined) onUnmapped(version);
    return map === undefined ? undefined : createStackMapper("bundle.js", map);
  };

  return async (stack, version) => {
    const mapper = mappers.get(version) ?? createMapper(version);
    mappers.set(version, mapper);
    // The platform may name the bundle with its folder.
    return (await mapper)?.map(stack.replace(/[^\s(]*[\\/](?=bundle\.js:\d)/g, "")) ?? stack;
  };
}

async function buildSource({ file, cwd }: StackMapOptions): Promise<UploadContent> {
  await using pack = await openPack(file, { cwd });
  return readUploadContent(pack);
}
