import { PackError } from "../../errors.ts";
import { failureView } from "../failures.ts";
import type { EventStream } from "../session/event-stream.ts";
import type { PublishJobView } from "../wire/publish.ts";

/** What the work of a job reports. */
export interface JobReport {
  sent(bytes: number, totalBytes: number, attempt: number): void;
  issues(issues: PublishJobView["issues"]): void;
}

/** The uploads and releases of a page: one at a time. The last one stays visible. */
export interface PublishJobs extends AsyncDisposable {
  current(): PublishJobView | undefined;
  /**
   * @param work gives back what it did, in words
   * @throws {PackError} USAGE_INVALID while another job runs
   */
  start(
    kind: PublishJobView["kind"],
    work: (report: JobReport, signal: AbortSignal) => Promise<string>,
  ): PublishJobView;
  /** Ends the running job between two steps. */
  stop(): void;
}

export function createPublishJobs(events: EventStream): PublishJobs {
  let current: PublishJobView | undefined;
  let running: { done: Promise<void>; stop: AbortController } | undefined;
  const change = (changes: Partial<PublishJobView>): void => {
    if (current === undefined) return;
    current = { ...current, ...changes };
    events.send({ type: "publish", job: current.id });
  };
  const stopRunning = () => running?.stop.abort(createInterruption(current?.kind ?? "upload"));
  return {
    current: () => current,
    start(kind, work) {
      if (running !== undefined) throw busy(current?.kind ?? kind);
      const stop = new AbortController();
      current = {
        id: (current?.id ?? 0) + 1,
        kind,
        state: "running",
        sent: undefined,
        result: undefined,
        failure: undefined,
        issues: [],
      };
      const report: JobReport = {
        sent(bytes, totalBytes, attempt) {
          const roundToTenth = (sent: number) => Math.floor((sent / totalBytes) * 10);
          const before = current?.sent;
          const isNews =
            before === undefined ||
            before.attempt !== attempt ||
            roundToTenth(before.bytes) !== roundToTenth(bytes);
          if (isNews) change({ sent: { bytes, totalBytes, attempt } });
        },
        issues: (issues) => change({ issues }),
      };
      const done = work(report, stop.signal)
        .then(
          (result): Partial<PublishJobView> => ({ state: "done", result }),
          (error: unknown): Partial<PublishJobView> => ({
            state: "failed",
            failure: failureView(stop.signal.aborted ? stop.signal.reason : error),
          }),
        )
        .then((end) => {
          running = undefined;
          change(end);
        });
      running = { done, stop };
      events.send({ type: "publish", job: current.id });
      return current;
    },
    stop: stopRunning,
    async [Symbol.asyncDispose]() {
      stopRunning();
      await running?.done;
    },
  };
}

function busy(kind: PublishJobView["kind"]): PackError<"USAGE_INVALID"> {
  return new PackError("USAGE_INVALID", `The previous ${kind} is still running.`, {
    details: undefined,
    hint: `Wait until the ${kind} has finished, or stop it.`,
  });
}

function createInterruption(kind: PublishJobView["kind"]): PackError<"INTERRUPTED"> {
  return new PackError("INTERRUPTED", `You stopped the ${kind}.`, {
    details: undefined,
    hint: `To continue, start the ${kind} again. packsmith does not upload anything twice.`,
  });
}
