import type { CpuTimes } from "./cpu-time";

/** A way of storing a batch; `worker` says which of the parallel loops asks. */
export type Work<Batch> = (worker: number, batch: Batch) => Promise<void>;

export type Measurement = { batches: number; seconds: number; cpu?: CpuTimes };

/**
 * Runs `workers` loops over prepared batches until the time is up or there are none left.
 * Preparing is not measured: it would be the client's machine's work.
 */
export async function measure<Batch>(
  batches: Batch[],
  workers: number,
  limitMs: number,
  work: Work<Batch>,
): Promise<Measurement> {
  let next = 0;
  let done = 0;
  const began = performance.now();
  const deadline = began + limitMs;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (performance.now() < deadline) {
        const batch = batches[next++];
        if (batch === undefined) return;
        await work(worker, batch);
        done += 1;
      }
    }),
  );
  return { batches: done, seconds: (performance.now() - began) / 1000 };
}
