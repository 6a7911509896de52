import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPacks } from "../build/build-packs.ts";
import { connectAccount } from "../connect/connect-account.ts";
import { PackError } from "../errors.ts";
import { type RunResult, runFormula } from "../execute/run-target.ts";
import { startProvider } from "../provider/provider.ts";
import { createServiceClient } from "../service/client/client.ts";
import { fetchTransport } from "../service/client/fetch-transport.ts";
import { startService } from "../service/local/service.ts";
import { packageRoot } from "../shared/own-package.ts";
import type { Redactor } from "../shared/redact.ts";
import { uptimeMs } from "../shared/time.ts";

export interface DemoStep {
  title: string;
  /** What happened, in one line. */
  detail: string;
  durationMs: number;
}

export interface DemoOptions {
  redactor: Redactor;
  signal?: AbortSignal | undefined;
  onStep?: ((step: DemoStep) => void) | undefined;
}

export type DemoRow = Record<string, unknown>;

const SERVICE_PATH = "/apis/v1";
const TOKEN_TTL_SECONDS = 3_600;
/**
 * A service on this machine answers at once; the delays that a public one deserves would only be
 * waited out.
 */
const HASTY_TIMER = {
  now: Date.now,
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 50)),
};
/**
 * How long the local service takes to apply an edit, so that "accepted" and "applied" are visibly
 * different.
 */
const MUTATION_DELAY_MS = 40;

/**
 * Runs every step once, against a service and an authorization server on this machine: build,
 * connect with PKCE, list
 * rows, upsert a row, refresh an expired token, and the same with client credentials. Nothing is
 * kept afterwards.
 * @returns the rows of the demo table after everything ran
 * @throws {PackError} of the step that failed
 */
export async function runDemo(options: DemoOptions): Promise<DemoRow[]> {
  const home = await mkdtemp(join(tmpdir(), "packsmith-demo-"));
  try {
    return await runSteps(options, home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function runSteps(
  { redactor, signal, onStep = () => {} }: DemoOptions,
  home: string,
): Promise<DemoRow[]> {
  const examples = join(packageRoot(), "examples");
  const step = async <Value>(
    title: string,
    run: () => Promise<readonly [value: Value, detail: string]>,
  ): Promise<Value> => {
    signal?.throwIfAborted();
    const started = uptimeMs();
    const [value, detail] = await run();
    onStep({ title, detail, durationMs: uptimeMs() - started });
    return value;
  };

  await using service = await step("start the service", async () => {
    const started = await startService({ mutationDelayMs: MUTATION_DELAY_MS });
    return [started, `${started.url}, document ${started.docId}`];
  });
  await using provider = await step("start the provider", async () => {
    const started = await startProvider({
      accessTokenTtlSeconds: TOKEN_TTL_SECONDS,
      scopes: ["docs:read", "docs:write"],
      tokenResponse: { service_url: `https://docs.tasks.example${SERVICE_PATH}` },
    });
    service.acceptTokensFrom({ url: started.introspectionUrl, ...started.resourceServer });
    return [started, `${started.issuer}; the document service accepts its tokens`];
  });
  const routes = ["tasks", "reports"].flatMap((name) => [
    `https://login.${name}.example=${provider.issuer}`,
    `https://docs.${name}.example=${new URL(service.url).origin}`,
  ]);
  const now = () => provider.clock.now();
  const client = { clientId: provider.clientId, clientSecret: provider.clientSecret };
  const common = { cwd: examples, home, routes, redactor, now, signal };
  const run = (file: string, formula: string, ...args: unknown[]) =>
    runFormula({ ...common, file, formula, args }).then(orThrow);
  const refreshes = () =>
    provider.requests.filter(({ parameters }) => parameters["grant_type"] === "refresh_token")
      .length;
  const tokenRequests = () =>
    provider.requests.filter(({ path }) => new URL(provider.tokenUrl).pathname === path).length;

  await step("build tasks", async () => {
    const { ok, packs, issues, failure } = await buildPacks(["tasks/pack.ts"], {
      cwd: examples,
      outDir: join(home, "build"),
      types: false,
    });
    const [built] = packs;
    if (!ok || built === undefined)
      throw (
        failure?.cause ??
        stepFailed(`The Pack has problems: ${issues.map(({ message }) => message).join("; ")}`)
      );
    return [
      built,
      `valid; ${built.bytes} bytes, gzip ${built.gzipBytes}, sha256 ${built.sha256.slice(0, 12)}`,
    ];
  });
  await step("connect tasks", async () => {
    const account = await connectAccount({
      ...common,
      file: "tasks/pack.ts",
      client,
      browser: "headless",
      onProgress: () => {},
    });
    return [
      account,
      `authorization code + PKCE S256 as "${account.connectionName}", scopes ${account.scopes?.join(" ")}, endpoint ${account.endpoint}`,
    ];
  });
  const listed = await step("list rows", async () => {
    const { result, requests } = await run("tasks/pack.ts", "ListTasks", service.docId);
    const rows = result as DemoRow[];
    if (rows.length < 20)
      throw stepFailed(`Expected at least 20 rows, but received ${rows.length}.`);
    return [
      rows,
      `${rows.length} rows with ${Object.keys(rows[0] ?? {}).length} columns in ${requests.length} request`,
    ];
  });
  const title = String(listed[0]?.["title"]);
  const documents = createServiceClient({
    baseUrl: service.url,
    transport: fetchTransport({ token: service.token, timer: HASTY_TIMER }),
  });
  const waitUntilApplied = async (requestId: string) => {
    const { completed, warning } = await documents.waitFor(requestId);
    if (!completed || warning !== undefined)
      throw stepFailed(`The edit was not applied: ${warning ?? "it is still pending"}.`);
  };
  await step("upsert a row", async () => {
    const { result } = await run(
      "tasks/pack.ts",
      "SaveTask",
      service.docId,
      title,
      "In review",
      13,
    );
    const { requestId, completed } = result as { requestId: string; completed: boolean };
    await waitUntilApplied(requestId);
    const saved = findRow((await run("tasks/pack.ts", "ListTasks", service.docId)).result, title);
    if (saved?.["status"] !== "In review" || saved["estimate"] !== 13)
      throw stepFailed("The service returned a different row than the demo wrote.");
    return [
      saved,
      `${requestId} ${completed ? "completed" : "accepted, then completed"}; read back: ${JSON.stringify(saved)}`,
    ];
  });
  await step("refresh an expired token", async () => {
    const before = (await run("tasks/pack.ts", "ListTasks", service.docId)).result;
    const refreshesBefore = refreshes();
    provider.clock.advance((TOKEN_TTL_SECONDS + 60) * 1_000);
    const after = (await run("tasks/pack.ts", "ListTasks", service.docId)).result;
    const count = refreshes() - refreshesBefore;
    if (count !== 1)
      throw stepFailed(`Expected one refresh request, but the provider received ${count}.`);
    if (JSON.stringify(before) !== JSON.stringify(after))
      throw stepFailed("The formula returned a different result after the refresh.");
    return [undefined, "one refresh, the rotated tokens are stored, the result is unchanged"];
  });
  await step("build and connect reports", async () => {
    const { ok, packs, failure } = await buildPacks(["reports/pack.ts"], {
      cwd: examples,
      outDir: join(home, "build"),
      types: false,
    });
    if (!ok || packs[0] === undefined) throw failure?.cause ?? stepFailed("The Pack has problems.");
    const account = await connectAccount({ ...common, file: "reports/pack.ts", client });
    return [account, `${packs[0].bytes} bytes; client credentials as "${account.connectionName}"`];
  });
  await step("report, write, expire", async () => {
    const totals = (await run("reports/pack.ts", "HoursByStatus", service.docId))
      .result as DemoRow[];
    await waitUntilApplied(
      String((await run("reports/pack.ts", "CloseTask", service.docId, title)).result),
    );
    const requestsBefore = tokenRequests();
    provider.clock.advance((TOKEN_TTL_SECONDS + 60) * 1_000);
    const closed = (await run("reports/pack.ts", "HoursByStatus", service.docId))
      .result as DemoRow[];
    const count = tokenRequests() - requestsBefore;
    if (count !== 1)
      throw stepFailed(`Expected one token request, but the provider received ${count}.`);
    return [
      undefined,
      `${totals.length} statuses, then ${closed.length}; a new token after expiry with one request`,
    ];
  });
  return (await run("tasks/pack.ts", "ListTasks", service.docId)).result as DemoRow[];
}

function findRow(result: unknown, title: string): DemoRow | undefined {
  return (result as DemoRow[]).find((row) => row["title"] === title);
}

function orThrow(run: RunResult): Extract<RunResult, { ok: true }> {
  if (!run.ok) throw run.failure.cause;
  return run;
}

function stepFailed(message: string): PackError {
  return new PackError("DEMO_STEP_FAILED", message, {
    details: undefined,
    hint: "Run npm ci, then npm run demo. If the demo fails again, report its output.",
  });
}
